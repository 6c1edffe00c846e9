def execute(tool_input: dict) -> dict:
    print('执行完成')
