import importlib
def execute(tool_input: dict) -> dict:
    module_name = 'shj.utils.cache'
    module = importlib.import_module(module_name)
    ShjCacheUtil = getattr(module, 'ShjCacheUtil')
    ShjCacheUtil().clear_args_confirm('xxx')
    return dict(success=True, message='执⾏完成', data='执⾏结果')
