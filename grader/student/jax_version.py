"""Advice if the course was not proved on the installed JAX. Nothing is refused."""

from grader.course import Course


def unproved(course: Course, version: str | None = None) -> str | None:
    """The advice for this version of JAX, by default the installed one; None if it is proved."""
    if course.proved_jax is None:
        return None
    version = version or installed()
    if version is None:
        return (
            "JAX is not installed for this Python, and no exercise runs without it: "
            '`python -m pip install "jax[cpu]"`.'
        )
    from packaging.version import Version

    oldest, newest = (Version(one).release for one in course.proved_jax)
    release = Version(version).release
    if release >= oldest and release[: len(newest)] <= newest:
        return None
    return (
        f"This is JAX {version}, and the course was proved on {' to '.join(course.proved_jax)}. "
        "Most of it works anyway. If an example fails although your code looks right, install one "
        f'of those: `python -m pip install "jax[cpu]=={course.proved_jax[1]}.*"`.'
    )


def installed() -> str | None:
    import importlib.metadata

    try:
        return importlib.metadata.version("jax")
    except importlib.metadata.PackageNotFoundError:
        return None
