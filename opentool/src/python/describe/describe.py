"""What a script tells of its arguments and results, for a description of it."""


def describe(script, entry):
    return dict(name=entry.name)
