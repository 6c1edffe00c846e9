"""`add` on the MCP SDK for Python, with the settings that take it the least: no sessions, and JSON instead of events."""

import sys

import uvicorn
from mcp.server import MCPServer

server = MCPServer("calc", log_level="ERROR")


@server.tool()
def add(a: int, b: int) -> int:
    """The sum of two integers."""
    return a + b


app = server.streamable_http_app(stateless_http=True, json_response=True)
uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="error", access_log=False)
