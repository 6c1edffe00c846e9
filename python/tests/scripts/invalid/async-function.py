import asyncio


async def execute(tool_input: dict) -> dict:
    await asyncio.sleep(1)
    return dict(success=True, message='', data=1)
