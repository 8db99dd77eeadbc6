"""Answers what tests ask Python most: a line of JSON each way, as long as there are questions.

    ["make", FOLDER, DESCRIPTION]   makes a container (make_container.py)
    ["fields", FILE]                the fields of a keyed archive (archive_fields.py)
    ["digest", BASE64]              the SHA-256 of bytes

Answers {"value": …}, or {"fault": "why not"}.
"""
import base64
import hashlib
import json
import sys

from archive_fields import fields
from make_container import make

ANSWERS = {
    "make": make,
    "fields": fields,
    "digest": lambda text: hashlib.sha256(base64.b64decode(text)).hexdigest(),
}

for question in sys.stdin:
    verb, *words = json.loads(question)
    try:
        answer = {"value": ANSWERS[verb](*words)}
    except Exception as fault:
        answer = {"fault": f"{type(fault).__name__}: {fault}"}
    print(json.dumps(answer), flush=True)
