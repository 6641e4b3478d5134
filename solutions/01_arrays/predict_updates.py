"""Reference solution: the numbers of twelve arrays, each with its reason."""


def predict_updates() -> list[list[int]]:
    """The numbers of each case."""
    return [
        [10, 5, 30, 40],  # a new array
        [10, 20, 30, 40],  # the new array is thrown away
        [10, 20, 30, 40],  # the name y stays with the old array
        [10, 23, 30, 40],  # every index adds, also one that occurs again
        [10, 21, 30, 40],  # x[i] + 1 is 21 each time
        [15, 20, 30, 40],  # the largest of all stays
        [5, 20, 30, 40],  # the write to index 4 is dropped
        [10, 20, 30, 45],  # -1 counts from the end
        [10, 20, 31, 40],  # -5 is out of range
        [5, 20, 30, 5],  # 9 becomes 3
        [10, 40],  # a read takes the last element
        [5, 30],  # the slice is an array of its own
    ]
