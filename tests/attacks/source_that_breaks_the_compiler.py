"""Python that is nested, dotted and repeated until its reader gives up (R09, A08).

Kind: intake
Exercise: 01_arrays/set_row
Outcome: missing | unreadable | raised | crashed | timed_out | failed
"""


def build(folder):
    inner = folder / "sources"
    inner.mkdir()
    texts = {
        "set_row.py": "def set_row(x, i, row):\n    return " + "(" * 50_000 + ")" * 50_000,
        "dots.py": "import " + "a." * 60_000 + "a",
        "minus.py": "x = " + "-" * 200_000 + "1",
        "lambdas.py": "x = " + "lambda: " * 20_000 + "0",
        "strings.py": "x = " + 'f"{' * 1000 + "1" + '}"' * 1000,
        "codec.py": "# -*- coding: zlib -*-\nx = 1",
    }
    for name, text in texts.items():
        (inner / name).write_text(text)
    return inner
