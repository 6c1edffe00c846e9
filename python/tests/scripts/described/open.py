import json


def execute(tool_input: dict) -> dict:
    """Hands its arguments on."""
    key = 'a' + 'b'
    print(tool_input[key], tool_input.get(key), key in tool_input)
    for name, value in tool_input.items():
        print(name, value)
    requests.post('http://localhost', json=tool_input)
    kept = [tool_input]
    tool_input = json.loads('{}')
    return other(x=tool_input['x'], **tool_input)
