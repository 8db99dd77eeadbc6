"""Firefox's Marionette, as its documentation describes it: messages of JSON, each behind its length, over a connection on this machine."""

import json
import socket


class Marionette:
    def __init__(self, port):
        self.connection = socket.create_connection(("127.0.0.1", port))
        self.connection.settimeout(120)
        self.count = 0
        self.receive()
        self.call("WebDriver:NewSession", capabilities={})
        # The browser's own code, and not a page's.
        self.call("Marionette:SetContext", value="chrome")

    def receive(self):
        length = b""
        while not length.endswith(b":"): length += self.part(1)
        message = b""
        while len(message) < int(length[:-1]): message += self.part(int(length[:-1]) - len(message))
        return json.loads(message)

    def part(self, count):
        part = self.connection.recv(count)
        if not part: raise EOFError("Firefox has ended")
        return part

    def call(self, command, **parameters):
        self.count += 1
        message = json.dumps([0, self.count, command, parameters]).encode()
        self.connection.sendall(b"%d:%s" % (len(message), message))
        _, _, error, result = self.receive()
        if error: raise OSError(f"{error['error']}: {error['message']}")
        return result.get("value") if isinstance(result, dict) else result

    def run(self, script, *values):
        """What a script returns, also where it returns that later."""
        return self.call("WebDriver:ExecuteScript", script=f"return (async (...values) => {{ {script} }})(...arguments)", args=list(values))
