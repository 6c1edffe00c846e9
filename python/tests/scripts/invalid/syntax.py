def execute(tool_input: dict) -> dict:
    return dict(success=True, message='完成', data=1)
      print('错')
