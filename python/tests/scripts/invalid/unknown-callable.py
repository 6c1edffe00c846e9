import functools


@functools.lru_cache(maxsize=None)
def execute(tool_input: dict) -> dict:
    return dict(success=True, message='', data=1)


execute = functools.partial(execute)
