"""The modules that scripts import to reach other tools. Comes before `worker.py`, which calls `provide`."""

import importlib.machinery
import sys

CLIENT = 'shj.client.client'


def provide(tool_exe):
    """Makes `InterClient` of `shj.client.client` known. Its packages may be others', with modules of their own."""

    class InterClient:
        """Calls the other tools of the set that this script is a tool of."""

    InterClient.tool_exe = staticmethod(tool_exe)
    InterClient.__module__ = CLIENT
    sys.meta_path.insert(0, Finder([CLIENT], InterClient))
    sys.meta_path.append(Finder(['shj', 'shj.client'], InterClient))


class Finder:
    """Finds modules of these names."""

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
