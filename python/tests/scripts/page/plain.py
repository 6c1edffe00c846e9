import xxx
def execute(tool_input: dict) -> dict:
    def sub_method():
        print('123')
    '''业务逻辑编写'''
    return dict(success=True, message='执⾏完成', data='执⾏结果')
