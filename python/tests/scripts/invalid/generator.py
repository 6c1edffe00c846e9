def execute(tool_input: dict) -> dict:
    for 行 in tool_input['xs']:
        print('行'); yield 行
