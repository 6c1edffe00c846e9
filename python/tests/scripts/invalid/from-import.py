import os
from shj.utils.cache import ShjCacheUtil


def execute(tool_input: dict) -> dict:
    ShjCacheUtil().clear_args_confirm('xxx')
    return dict(success=True, message='执行完成', data=os.sep)
