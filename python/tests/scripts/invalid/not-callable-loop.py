def execute(tool_input: dict) -> dict:
    return dict(success=True, message='', data=1)


for execute in range(3):
    pass

import execute

try:
    pass
except OSError as execute:
    pass
