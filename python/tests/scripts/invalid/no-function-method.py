class _Tool:
    def execute(self, tool_input: dict) -> dict:
        return dict(success=True, message='', data=1)


if __name__ == '__main__':
    def main():
        pass
