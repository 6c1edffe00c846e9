"""Sends the same request again and again over one connection: send.py PORT PATH BODY COUNT."""

import http.client
import sys

port, path, body, count = int(sys.argv[1]), sys.argv[2], sys.argv[3].encode(), int(sys.argv[4])
headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
connection = http.client.HTTPConnection("127.0.0.1", port)
for _ in range(count):
    connection.request("POST", path, body, headers)
    reply = connection.getresponse()
    text = reply.read()
    assert reply.status == 200 and b"5" in text, (reply.status, text)
