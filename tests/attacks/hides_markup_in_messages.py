"""Raises on a line full of terminal codes and HTML, for the reader of the report (F25).

Exercise: 01_arrays/set_row
Outcome: raised
"""


def set_row(x, i, row):
    raise ValueError("<b>\x1b]0;owned\x07\r")  # [31m‮ <script>alert(1)</script> `| [a](b) |
