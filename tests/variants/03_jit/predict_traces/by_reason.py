"""What differs between the calls of each case, counted."""

SEEN = (
    ["any value"],
    ["(3,)", "(2,)", "(1, 3)"],
    ["float32", "bool", "int32"],
    ["float32[3]"],
    ["weak float32"],
    ["weak float32", "weak int32", "bool"],
    ["weak float32", "float32"],
    ["static 2", "static 3"],
    ["left out", "by position", "by name"],
    ["list of 2", "tuple of 2", "list of 3"],
    ["g"],
    ["first lambda", "second lambda", "third lambda"],
)


def predict_traces():
    return [len(kinds) for kinds in SEEN]
