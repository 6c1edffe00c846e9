def execute(tool_input: dict) -> dict:
    if tool_input:
        x = 1
	return x
