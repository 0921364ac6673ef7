"""Exercise 10.1: who reads a value."""


def readers(lines):
    """For each line the numbers of the later lines that read its value, in order and without repetition.

    Args:
        lines (list): Triples of a target, a cell's name, and a tuple of arguments.
    """
    found, assigned = [[] for _ in lines], {}
    for number, (target, _, arguments) in enumerate(lines):
        for name in dict.fromkeys(arguments):
            if name in assigned:
                found[assigned[name]].append(number)
        assigned[target] = number
    return found
