#!/usr/bin/env python3
# coding=rot13
def execute(tool_input: dict) -> dict:
    return dict(success=True, message='', data=1)
