"""The module that the specification's third sample gets a class from."""

CLEARED = []


class ShjCacheUtil:
    """Remembers what it was told to clear."""

    def clear_args_confirm(self, name):
        print('cleared', name)
        CLEARED.append(name)
