"""Link files: what they say, and the plainest file that says it."""
import plistlib

LINK_FORMS = ("url", "desktop", "webloc")


def stem(name): return name.rpartition(".")[0]


def extension(name): return name.rpartition(".")[2].lower() if "." in name[1:] else ""


def link_of(name, content, weblocs):
    """The address that a link file says; None if it says none. For a .webloc that nobody wrote: KeyError."""
    form = extension(name)
    if len(content) > 1 << 20: return None
    if form == "webloc":
        if content in weblocs: return plistlib.loads(content)["URL"]
        if b"<plist" in content or content.startswith(b"bplist"): raise KeyError
        return None
    try: text = content.decode("utf-8")
    except UnicodeDecodeError: text = content.decode("latin-1")
    section, found = None, {}
    for line in (line.strip(" \t") for line in text.replace("\r", "\n").split("\n") if line):
        if form == "desktop" and line.startswith("#"): continue
        if line.startswith("["):
            if form == "desktop" and (section or line != "[Desktop Entry]"): break
            section = line.lower()
        elif section == ("[internetshortcut]" if form == "url" else "[desktop entry]") and "=" in line:
            key, _, value = line.partition("=")
            key = key.strip(" \t") if form == "desktop" else key.strip(" \t").lower()
            found.setdefault(key, value.strip(" \t"))
    url = found.get("url") if form == "url" else found.get("URL") if found.get("Type") == "Link" else None
    if form == "desktop" and url and "\\" in url: raise KeyError
    if not url or any(ord(c) < 0x20 or 0x7F <= ord(c) < 0xA0 or ord(c) in (0x2028, 0x2029) for c in url): return None
    return url


def canonical(form, name, url):
    """The plainest file that says it."""
    if form == "url": return f"[InternetShortcut]\nURL={url}\n".encode()
    if form == "desktop": return f"[Desktop Entry]\nType=Link\nName={name}\nURL={url}\n".encode()
    return plistlib.dumps({"URL": url})
