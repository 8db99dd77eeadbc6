"""Chromium's DevTools protocol through two pipes: messages of JSON, each with a zero behind it."""

import json
import os


class DevTools:
    def __init__(self, launch, words):
        """`launch` starts a program that is given these words and file descriptors."""
        for_browser, self.commands = os.pipe()
        self.answers, from_browser = os.pipe()
        # It reads from 3 and writes to 4.
        turn = f'exec 3<&{for_browser} 4>&{from_browser}; exec "$@"'
        self.process = launch("bash", "-c", turn, "bash", *words, "--remote-debugging-pipe", pass_fds=[for_browser, from_browser])
        os.close(for_browser)
        os.close(from_browser)
        self.count, self.received = 0, b""

    def receive(self):
        while b"\0" not in self.received:
            part = os.read(self.answers, 1 << 16)
            if not part: raise EOFError("Chromium has ended")
            self.received += part
        message, self.received = self.received.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, session=None, **parameters):
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters} | ({"sessionId": session} if session else {})
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") != self.count: continue
            if "error" in answer: raise OSError(f"{method}: {answer['error']['message']}")
            return answer["result"]

    def attach(self, target):
        return self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]

    def run(self, session, script):
        result = self.call("Runtime.evaluate", session, expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result: raise OSError(f"{script[:80]}: {result['exceptionDetails']['exception'].get('description')}")
        return result["result"].get("value")
