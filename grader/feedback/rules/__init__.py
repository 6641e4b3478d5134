"""Rules: each finds one cause of an exception by the code at the student's own line.

tracing      a traced value that Python needs to know: `if`, `range`, an index, NumPy
expressions  an index, an attribute, an operator, an unknown name
calls        arguments that do not fit: how many, shapes, keys, functions for loops
functions    a function that is given to `jit`, `vmap`, `custom_vjp` and others
derivatives  `grad` and its relatives
"""
