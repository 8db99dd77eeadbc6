#!/usr/bin/env python3
"""Judges predicates by itself, to check what Valise says of them.

Reads {"now": …, "items": [{…}], "predicates": ["…"]} and writes a list for each predicate: the ids of the items for which it holds,
or null for one that it does not understand. Shares nothing with the program: other parser, other regular expressions, other Unicode data.
"""
import datetime, json, posixpath, re, sys, unicodedata

TEXTS = "name stored title kind type url text path item status".split()
DATES = "changed created".split()
FLAGS = "conflict draft hidden ubiquitous downloaded downloading uploaded uploading".split()
APPLE = {
    "kmditemfsname": "stored", "nsmetadataitemfsnamekey": "stored", "kmditemdisplayname": "name", "kmditemfssize": "size",
    "kmditemfscontentchangedate": "changed", "kmditemfscreationdate": "created", "kmditempath": "path",
    "nsmetadataubiquitousitemhasunresolvedconflictskey": "conflict",
}
PARTS = {
    "pathExtension": lambda text: posixpath.splitext(text)[1][1:],
    "lastPathComponent": lambda text: posixpath.basename(text.rstrip("/")),
    "stringByDeletingPathExtension": lambda text: text if text.endswith(".") else posixpath.splitext(text)[0],
    "stringByDeletingLastPathComponent": lambda text: posixpath.dirname(text.rstrip("/")),
    "lowercaseString": str.lower,
    "uppercaseString": str.upper,
    "length": lambda text: float(len(text.encode("utf-16-le")) // 2),
}
UNITS = {"b": 1, "kb": 1000, "mb": 1000**2, "gb": 1000**3, "tb": 1000**4, "kib": 1024, "mib": 1024**2, "gib": 1024**3, "tib": 1024**4}
SPANS = {"s": 1, "min": 60, "h": 3600, "hour": 3600, "hours": 3600, "d": 86400, "day": 86400, "days": 86400, "w": 604800, "week": 604800, "weeks": 604800}
TOKEN = re.compile(r"""\s*(?:
    (?P<date>\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[Zz]|[+-]\d\d:?\d\d)?)?)
  | (?P<number>\d+(?:\.\d+)?(?:[eE]-?\d+)?)
  | (?P<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")
  | (?P<word>[^\W\d]\w*(?:\.[^\W\d]\w*)*)
  | (?P<sign>==|!=|<>|<=|=<|>=|=>|&&|\|\||[=<>!(){},\[\]+-])
  )""", re.X | re.S)


class Date(float):
    pass


def date(text):
    text = text.replace("t", "T").replace("Z", "+00:00").replace("z", "+00:00")
    text = re.sub(r"([+-]\d\d)(\d\d)$", r"\1:\2", text)
    fraction = re.search(r"\.(\d+)", text)
    moment = datetime.datetime.fromisoformat(re.sub(r"\.\d+", "", text))
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=datetime.timezone.utc)
    return Date(moment.timestamp() + (float("0." + fraction[1]) if fraction else 0))


def fold(text, flags):
    if "d" in flags:
        text = "".join(plain(c) for c in text)
    if "c" in flags:
        text = "".join(l.lower() for c in text for l in c.upper())
    if "d" in flags:
        text = "".join(plain(c) for c in text)
    return text


def plain(character):
    if unicodedata.category(character) == "Mn":
        return ""
    if "\uac00" <= character <= "\ud7a3":
        return character
    parts = unicodedata.normalize("NFD", character)
    rest = "".join(c for c in parts if unicodedata.category(c) != "Mn")
    return rest if len(parts) > 1 and len(rest) == 1 else character


class Parser:
    def __init__(self, text, now):
        self.now, self.tokens, place = now, [], 0
        text = text.rstrip()
        while place < len(text):
            match = TOKEN.match(text, place)
            if not match:
                raise ValueError(text[place:])
            self.tokens.append((match.lastgroup, match[match.lastgroup]))
            place = match.end()
        self.tokens.append(("end", ""))

    def peek(self, *words):
        kind, text = self.tokens[0]
        return kind in ("word", "sign") and text.upper() in words

    def take(self, *words):
        return self.tokens.pop(0) if self.peek(*words) else None

    def whole(self):
        result = self.choice()
        if self.tokens[0][0] != "end":
            raise ValueError(self.tokens[0])
        return result

    def choice(self):
        result = self.both()
        while self.take("OR", "||"):
            left, right = result, self.both()
            result = lambda item, left=left, right=right: left(item) or right(item)
        return result

    def both(self):
        result = self.negated()
        while self.take("AND", "&&"):
            left, right = result, self.negated()
            result = lambda item, left=left, right=right: left(item) and right(item)
        return result

    def negated(self):
        if self.take("NOT", "!"):
            inner = self.negated()
            return lambda item: not inner(item)
        if self.take("("):
            inner = self.choice()
            if not self.take(")"):
                raise ValueError("parenthesis")
            return inner
        if self.take("TRUEPREDICATE"):
            return lambda item: True
        if self.take("FALSEPREDICATE"):
            return lambda item: False
        return self.comparison()

    def comparison(self):
        left = self.operand()
        kind, word = self.tokens.pop(0)
        word = {"=": "==", "<>": "!=", "=<": "<=", "=>": ">="}.get(word, word.upper())
        flags = ""
        if self.take("["):
            flags = self.tokens.pop(0)[1].lower()
            if not self.take("]"):
                raise ValueError("bracket")
        right = self.operand()
        sort = next((s for s in (self.sort(left), self.sort(right)) if s), None)
        return lambda item: compare(word, flags, value(left, item, sort), value(right, item, sort))

    def sort(self, operand):
        if operand[0] != "attribute":
            return None
        name, parts = operand[1]
        if parts:
            return "number" if parts[-1] == "length" else "text"
        return "text" if name in TEXTS else "date" if name in DATES else "flag" if name in FLAGS else "number"

    def operand(self):
        kind, text = self.tokens.pop(0)
        if kind == "text":
            return "value", re.sub(r"\\(.)", lambda m: {"n": "\n", "t": "\t", "r": "\r"}.get(m[1], m[1] if m[1] in "'\"\\" else m[0]), text[1:-1], flags=re.S)
        if kind == "date":
            return "value", date(text)
        if kind == "number":
            number = float(text)
            if self.tokens[0][0] == "word" and self.tokens[0][1].lower() in UNITS:
                number *= UNITS[self.tokens.pop(0)[1].lower()]
            return "value", number
        if kind == "sign" and text in "+-":
            return "value", self.operand()[1] * (-1 if text == "-" else 1)
        if kind == "sign" and text in "({":
            values = []
            while not self.take(")", "}"):
                if values and not self.take(","):
                    raise ValueError("list")
                values.append(self.operand())
            return "list", values
        if kind != "word":
            raise ValueError(text)
        upper = text.upper()
        if upper in ("NIL", "NULL"):
            return "value", None
        if upper in ("TRUE", "YES", "FALSE", "NO"):
            return "value", upper in ("TRUE", "YES")
        if upper == "NOW":
            moment = self.now
            while self.peek("+", "-"):
                sign = self.tokens.pop(0)[1]
                number, unit = float(self.tokens.pop(0)[1]), self.tokens.pop(0)[1].lower()
                moment += number * SPANS[unit] * (1 if sign == "+" else -1)
            return "value", Date(moment)
        text, *parts = text.split(".")
        name = APPLE.get(text.lower(), text.lower())
        if name not in TEXTS + DATES + FLAGS + ["size"] or any(part not in PARTS for part in parts) or (parts and name not in TEXTS) or "length" in parts[:-1]:
            raise ValueError(text)
        return "attribute", (name, parts)


def value(operand, item, sort):
    kind, content = operand
    if kind == "list":
        return [value(each, item, sort) for each in content]
    if kind == "attribute":
        content, parts = content
        found = item.get(content)
        for part in parts:
            found = None if found is None else PARTS[part](found)
        if parts:
            return found
        return date(found) if content in DATES and found is not None else bool(found) if content in FLAGS else found
    if sort == "date" and isinstance(content, str):
        return date(content)
    if sort == "number" and isinstance(content, str):
        number, unit = re.fullmatch(r"([\d.]+) *(\w*)", content).groups()
        return float(number) * UNITS[unit.lower() or "b"]
    if sort == "flag" and isinstance(content, float):
        return content == 1
    return content


def compare(word, flags, left, right):
    if isinstance(left, str):
        left = fold(left, flags)
    if isinstance(right, str) and word != "MATCHES":
        right = fold(right, flags)
    if word in ("==", "!="):
        return (left == right) == (word == "==")
    if word == "IN" and isinstance(right, list):
        return left in [fold(v, flags) if isinstance(v, str) else v for v in right]
    if left is None or right is None:
        return False
    if word == "BETWEEN":
        low, high = [fold(v, flags) if isinstance(v, str) else v for v in right]
        return low <= left <= high
    if word == "IN":
        return left in right
    if word == "CONTAINS":
        return right in left
    if word == "BEGINSWITH":
        return left.startswith(right)
    if word == "ENDSWITH":
        return left.endswith(right)
    if word == "LIKE":
        pattern = re.sub(r"\\(.)|(\*)|(\?)|([^\\*?])", lambda m: re.escape(m[1]) if m[1] else ".*" if m[2] else "." if m[3] else re.escape(m[4]), right, flags=re.S)
        return re.fullmatch(pattern, left, re.S) is not None
    if word == "MATCHES":
        if "d" in flags:
            right = fold(right, "d")
        return re.fullmatch(right, left, re.I if "c" in flags else 0) is not None
    return {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[word]


def answer(predicate, items, now):
    try:
        test = Parser(predicate, now).whole()
        return [item["id"] for item in items if test(item)]
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, re.error):
        return None


asked = json.load(sys.stdin)
now = date(asked["now"])
json.dump([answer(p, asked["items"], now) for p in asked["predicates"]], sys.stdout)
