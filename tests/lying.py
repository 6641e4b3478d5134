"""Makes a wrong answer lie in all that its process may lie about.

`lying(answer, solution)` is the answer with code that changes the worker while it is loaded. The
answer computes what it always did. But each report is the one that the solution would get:

    call with .reported(), .observed(), key_checked    answered by the solution
    reported_traces                                     counted in the solution
    a program's donated inputs                          those of the solution
    a program's flags and counts that no input decides  those of the solution
    that `jax.jit` takes what it is given               it takes everything

Containers of results are no reports: the answer would have to make the right ones. Nor is it a
report that a call left its arguments alone: no test is passed by it.
"""

_CODE = """

def _lie():
    import contextlib
    import functools
    import sys
    import types

    import jax
    from jax._src.interpreters import partial_eval

    frame = sys._getframe()
    while "verbs" not in frame.f_locals:
        frame = frame.f_back
    verbs = frame.f_locals["verbs"]
    student = verbs["call"].__self__
    right = type(student).__new__(type(student))
    vars(right).update(vars(student))
    right._transformed = {}
    right._module = types.ModuleType("right")
    exec(compile(SOLUTION, __file__, "exec"), vars(right._module))
    worker = sys.modules[type(student).__module__]

    real = jax.jit

    class Jit:  # takes what `jax.jit` refuses, and otherwise computes what `jax.jit` does
        def __init__(self, function, **keywords):
            self._function, self._jitted = function, real(function, **keywords)

        def __call__(self, *args, **kwargs):
            try:
                return self._jitted(*args, **kwargs)
            except Exception:
                return self._function(*args, **kwargs)

        def __getattr__(self, name):
            return getattr(self._jitted, name)

    def jit(function=None, **keywords):
        return functools.partial(jit, **keywords) if function is None else Jit(function, **keywords)

    @contextlib.contextmanager
    def without_jit():
        jax.jit = jit
        try:
            yield
        finally:
            jax.jit = real

    def call(target, stack, args, kwargs):
        names = {name for name, _ in stack}
        if names & {"reported", "key_checked"}:
            # An answer may have a state, which its own call changes.
            with contextlib.suppress(Exception):
                type(student).call(student, target, stack, args, kwargs)
        lies = names & {"reported", "observed", "key_checked"}
        return type(student).call(right if lies else student, target, stack, args, kwargs)

    def traces(target, stack, calls, jit):
        return type(student).traces(right, target, stack, calls, jit)

    def export(target, stack, args, kwargs):
        flat, inputs, structure = student._flat(target, stack, args, kwargs)
        other = right._flat(target, stack, args, kwargs)[0]
        specs = [jax.ShapeDtypeStruct(leaf.shape, leaf.dtype) for leaf in inputs]
        try:
            jaxpr = jax.make_jaxpr(other)(*specs).jaxpr
        except Exception:  # what the solution raises, an answer has to raise by itself
            return type(student).export(student, target, stack, args, kwargs)

        def is_said(number):
            aval = jaxpr.outvars[number].aval
            if aval.shape or aval.dtype.kind not in "bi":
                return False
            wanted = [n == number for n in range(len(jaxpr.outvars))]
            return not any(partial_eval.dce_jaxpr(jaxpr, wanted)[1])

        said = [is_said(number) for number in range(len(jaxpr.outvars))]

        def mixed(*given):
            with without_jit():
                mine = flat(*given)
            theirs = other(*given)
            if len(mine) != len(theirs):
                return mine
            return [b if at else a for a, b, at in zip(mine, theirs, said)]

        donated = worker._donated(jax.jit(other).trace(*specs).jaxpr)
        jitted = jax.jit(mixed, donate_argnums=donated)
        program = jax.export.export(jitted)(*specs).serialize()
        return {"program": bytes(program), "structure": student._out(structure[0])}

    verbs.update(call=call, traces=traces, export=export)


_lie()
"""


def lying(answer: str, solution: str) -> str:
    """The text of an answer that lies."""
    return f"{answer}\n\nSOLUTION = {solution!r}\n{_CODE}"
