from . import beside
from ..above import thing


def execute(tool_input: dict) -> dict:
    return dict(success=True, message='', data=beside.name)
