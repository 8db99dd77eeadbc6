"""Waiting for what other programs do, for the scripts that drive them."""

import time


class Failed(Exception):
    pass


def eventually(question, what, patience=60):
    """Waits for an answer that is something."""
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        answer = question()
        if answer:
            return answer
        time.sleep(0.1)
    raise Failed(f"not seen in {patience} seconds: {what}")
