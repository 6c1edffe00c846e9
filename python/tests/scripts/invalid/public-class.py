class Cache:
    def get(self):
        return 1


def execute(tool_input: dict) -> dict:
    return dict(success=True, message='', data=Cache().get())
