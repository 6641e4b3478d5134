"""The error of a program that won't be run."""


class RefusedProgram(ValueError):
    """A program that won't be run. Students read the text, so it quotes nothing of the program."""
