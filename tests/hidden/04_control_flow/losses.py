"""What the suites of this topic ask of gradients."""


def part_of_a_loss(function, *args):
    """A loss of which the result is a part: the gradient that arrives there isn't 1."""
    return -0.5 * function(*args)
