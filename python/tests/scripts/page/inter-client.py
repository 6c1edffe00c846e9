import importlib
def execute(tool_input: dict) -> dict:
    tool_id = 'current_cpu_query',
    tool_name = 'current_cpu_query',
    cluster = tool_input['cluster']
    app_id = tool_input['appId']
    arguments = dict(cluster=cluster, appId=app_id)
    module_name = 'shj.client.client'
    module = importlib.import_module(module_name)
    InterClient = getattr(module, 'InterClient')
    InterClient.tool_exe(tool_id, tool_name, arguments)
    return dict(success=True, message='执⾏完成', data='执⾏结果')
