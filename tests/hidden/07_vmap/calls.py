"""How the suites of this topic ask several questions in one program."""


def each(function, calls):
    """The results of several calls, each given by its arguments."""
    return [function(*arguments) for arguments in calls]
