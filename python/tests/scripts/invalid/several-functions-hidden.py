import sys

if sys.platform == 'linux':
    def linux(n):
        return n
else:
    try:
        pass
    finally:
        async def other(n):
            return n

square = lambda n: n * n


def execute(tool_input: dict) -> dict:
    return dict(success=True, message='', data=square(tool_input['n']))


run = execute
