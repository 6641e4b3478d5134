"""Hands in conftest.py, pytest.ini, sitecustomize.py and a jax of its own (A07, F17, F18, F20).

Kind: intake
Exercise: 01_arrays/set_row
Outcome: failed
"""

CONFTEST = """
import pytest

@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    result = yield
    report = result.get_result()
    report.outcome, report.longrepr = "passed", None
"""
FILES = {
    "set_row.py": "def set_row(x, i, row):\n    return x\n",
    "conftest.py": CONFTEST,
    "01_arrays/conftest.py": CONFTEST,
    "pytest.ini": "[pytest]\naddopts = -p conftest --collect-only\n",
    "pyproject.toml": '[tool.pytest.ini_options]\naddopts = "-p conftest"\n',
    "tox.ini": "[pytest]\npython_files = nothing.py\n",
    "sitecustomize.py": "import os\nos._exit(0)\n",
    "usercustomize.py": "import os\nos._exit(0)\n",
    "evil.pth": "import os; os._exit(0)\n",
    "jax/__init__.py": "import os\nos._exit(0)\n",
    "numpy.py": "import os\nos._exit(0)\n",
    "grader/engine/judge/__init__.py": "def assert_close(*args, **kwargs):\n    pass\n",
    "tests/hidden/01_arrays/test_set_row.py": "def test_one_row_is_replaced():\n    pass\n",
    "solutions/01_arrays/set_row.py": "def set_row(x, i, row):\n    return x\n",
    "exercises/catalog.toml": "schema = 1\n",
}


def build(folder):
    inner = folder / "takeover"
    for name, text in FILES.items():
        path = inner / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return inner
