import requests
def execute(tool_input: dict) -> dict:
    params = dict(
      param1='param1',
      param2='param2'
    )
    response = requests.post(url, json=params, timeout=(10, 120))
    return dict(success=True, message='执⾏完成', data='执⾏结果')
