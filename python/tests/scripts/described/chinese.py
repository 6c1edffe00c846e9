def execute(tool_input: dict) -> dict:
    """查询集群的当前 CPU 使用率。

    参数：
        tool_input (dict): 输入参数
            - cluster (字符串): 集群名称
            - appId（整数，可选）：应用 id

    返回：
        使用率
    """
    集群 = tool_input['cluster']
    return dict(success=True, message='执行完成', data=f'{集群}: {tool_input.get("appId")}')
