"""The modules that scripts import to call other tools. Precedes `worker.py`, which calls `provide`."""

import importlib.machinery
import sys

CLIENT = 'shj.client.client'


def provide(tool_exe):
    """Provides `InterClient` of `shj.client.client`. An installed package `shj` keeps its other modules."""

    class InterClient:
        """Calls the other tools of the set that contains this script."""

    InterClient.tool_exe = staticmethod(tool_exe)
    InterClient.__module__ = CLIENT
    sys.meta_path.insert(0, Finder([CLIENT], InterClient))
    sys.meta_path.append(Finder(['shj', 'shj.client'], InterClient))


class Finder:
    """Finds the modules with these names."""

    def __init__(self, names, client):
        self.names, self.client = names, client

    def find_spec(self, name, path=None, target=None):
        if name not in self.names:
            return None
        return importlib.machinery.ModuleSpec(name, self, origin='worker', is_package=name != CLIENT)

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        if module.__name__ == CLIENT:
            module.InterClient = self.client
