import importlib

try:
    from json import loads as read, dumps
except ImportError:
    pass

if importlib:
    from os.path import join


class _Cache:
    from functools import lru_cache

    def get(self):
        from math import pi as π
        return π


def execute(tool_input: dict) -> dict:
    def sub_method():
        '''汉字'''; from decimal import Decimal
        return Decimal(1)

    async def later():
        async with x:
            from a import (
                b,
                c as d,
            )
    return dict(success=True, message='', data=str(sub_method()))


if __name__ == '__main__':
    from sys import argv
