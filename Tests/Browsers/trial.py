"""Bookmarks of every kind go from a container into a browser and back. What comes back is what went in, as far as the browser keeps it."""

import collections
import json
import os
import pathlib
import shutil
import subprocess
import sys
import traceback

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "FileManagers"))

from desktop import Desktop, Failed, eventually, keys, type_text

PICTURE = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
TOOLBAR, OTHER = "Bookmarks Toolbar", "Other Bookmarks"


def made(name, url, *folders, added="2023-11-14T22:13:20Z", **more):
    return {"name": name, "url": url, "folders": list(folders), "added": added} | more


LINKS = [
    made("Swift", "https://www.swift.org/", TOOLBAR, tags=["language", "two words", "日本"], icon=PICTURE),
    made("In a folder of the toolbar", "https://toolbar.example/in", TOOLBAR, "Inner"),
    made("Unfiled", "https://unfiled.example/", OTHER),
    made("At the top", "https://top.example/?a=1&b=2&amp;c=3#part"),
    made("Top too", "https://top.example/2", tags=["a&b", "<i>", "it's"]),
    made("Quoted \"twice\" and 'once'", "https://quoted.example/?q=%22a%22&r='b'", "Odd names"),
    made("A & B &amp; <b>C</b> &lt; &#38;", "https://markup.example/", "Odd names"),
    made("</A></DL><DT><A HREF=\"https://false.example/\">no</A>", "https://closing.example/", "Odd names"),
    made("שלום עולם", "https://rtl.example/", "Odd names"),
    made("مرحبا \u202bعربي\u202c (1)", "https://rtl.example/2", "Odd names"),
    made("日本語 😀 👩‍👩‍👧 e\u0301", "https://unicode.example/", "Odd names"),
    made("x" * 240, "https://long.example/", "Odd names"),
    made("長" * 80, "https://long.example/2", "Odd names"),
    made("", "https://nameless.example/path", "Odd names"),
    made(".hidden", "https://hidden.example/", "Odd names"),
    made("a/b\\c: d*?|", "https://slashes.example/", "Odd names"),
    made("  two   spaces  ", "https://spaces.example/", "Odd names"),
    made("-", "https://dash.example/", "Odd names"),
    made("Same", "https://same.example/1", "Odd names"),
    made("Same", "https://same.example/2", "Odd names"),
    made("Same address elsewhere", "https://www.swift.org/", "Odd names"),
    made("No path", "https://nopath.example", "Odd addresses"),
    made("Written large", "HTTPS://LARGE.Example/Path", "Odd addresses"),
    made("International", "https://müller.example/straße?ü=ß#ä", "Odd addresses"),
    made("Encoded", "https://encoded.example/%E6%97%A5%20x?y=%2F", "Odd addresses"),
    made("Quotation marks", "https://marks.example/\"a\"?b=\"c\"&d=<e>", "Odd addresses"),
    made("Script", "javascript:(function(){alert(\"a && b\");alert('<c>')})()", "Odd addresses"),
    made("Data", "data:text/html,<p>one&nbsp;&amp;two", "Odd addresses"),
    made("Mail", "mailto:somebody@example.org?subject=a%20b", "Odd addresses"),
    made("File", "file:///usr/share/doc/", "Odd addresses"),
    made("About", "about:config", "Odd addresses"),
    made("Phone", "tel:+4912345", "Odd addresses"),
    made("Torrent", "magnet:?xt=urn:btih:abc&dn=name", "Odd addresses"),
    made("Number", "http://127.0.0.1:8080/a", "Odd addresses"),
    made("Six", "http://[::1]/", "Odd addresses"),
    made("Long", "https://long.example/" + "path/" * 400, "Odd addresses"),
    made("Long ago", "https://dates.example/1", "Dates", added="2000-01-01T00:00:00Z"),
    made("Later than 2038", "https://dates.example/2", "Dates", added="2042-11-19T00:53:20Z"),
    made("At one second", "https://dates.example/3", "Dates", added="2023-11-14T22:13:21Z"),
    made("In markup", "https://folder.example/1", "A & B <i>C</i> \"D\" 'E'"),
    made("In Hebrew", "https://folder.example/2", "עברית", "日本 😀"),
    made("Deep", "https://folder.example/3", *[f"Level {number}" for number in range(30)]),
    made("One of the same name", "https://folder.example/4", "Odd names", "Odd names"),
    made("Noted", "https://note.example/", "Notes", note="A note with <markup> & more"),
]


class Browser:
    """What others do in another way, they say in a file of their own."""

    name = program = version = "?"
    keeps_tags = False

    def start(self, desktop):
        """Starts it with a profile of its own, in which there is no bookmark."""

    def open_page(self, page, replace=False):
        """Imports bookmark HTML, beside what is there or instead of it."""

    def files(self, folder):
        """Exports to files in a folder, and names these and its own."""

    def addresses(self, urls):
        """What its own reading of addresses makes of each; None of what it takes for none."""

    def make_own(self):
        """Makes bookmarks in each of its own folders; how many, and how many of them its HTML has."""

    def kept(self, links):
        """What it keeps of links, as a container has them afterwards."""
        urls = self.addresses([link.url for link in links])
        return [link._replace(url=url, tags=link.tags if self.keeps_tags else ()) for link, url in zip(links, urls) if url]


Link = collections.namedtuple("Link", "folders name url added tags")


class Trial:
    def __init__(self, desktop, browser):
        self.desktop, self.browser = desktop, browser
        self.ours = self.container("Ours")

    def answer(self, *words):
        ended = subprocess.run([self.desktop.valise, *words], capture_output=True, text=True)
        if ended.stderr: raise Failed(f"{words}: {ended.stderr}")
        return json.loads(ended.stdout)

    def links(self, container):
        found = self.answer("export", "--json", str(container))["bookmarks"]
        return [Link(tuple(link["folders"]), link["name"], link["url"], link.get("added"), tuple(sorted(link["tags"]))) for link in found]

    def tell(self):
        links = self.desktop.folder / "links.json"
        links.write_text(json.dumps({"bookmarks": LINKS}))
        self.bring(links, self.ours, len(LINKS))
        page = self.desktop.folder / "ours.html"
        with open(page, "wb") as file: subprocess.run([self.desktop.valise, "export", self.ours], check=True, stdout=file)
        self.browser.start(self.desktop)
        self.browser.open_page(page)
        ours, folder = self.links(self.ours), self.desktop.folder / "browser"
        folder.mkdir()
        expected, wrong = self.browser.kept(ours), []
        for file in self.browser.files(folder):
            container = self.container(f"From {file.name}")
            self.bring(file, container, len(expected), wrong)
            wrong += self.differences(file.name, self.links(container), expected)
            print(f"{self.browser.name} {self.browser.version}: {file.name}: {len(expected)} of {len(ours)}", flush=True)
        wrong += self.own_ones(folder)
        if wrong: raise Failed(f"{len(wrong)} differences:\n" + "\n".join(sentence[:400] for sentence in wrong[:30]))

    def own_ones(self, folder):
        """What the browser has in its own folders: each of its files says the same, and what it is given back is there again."""
        (count, in_page), wrong = self.browser.make_own(), []
        page, *files = self.browser.files(folder)
        everything = self.container("Everything")
        self.bring(page, everything, in_page, wrong)
        self.bring(files[0], everything, count - in_page, wrong, known=in_page)
        for file in files[1:]: self.bring(file, everything, 0, wrong, known=count)
        page = folder / "own.html"
        with open(page, "wb") as opened: subprocess.run([self.desktop.valise, "export", everything], check=True, stdout=opened)
        self.browser.open_page(page, replace=True)
        again = self.container("Again")
        self.bring(self.browser.files(folder)[0], again, count, wrong)
        return wrong + self.differences("given back", self.links(again), self.browser.kept(self.links(everything)))

    def container(self, name):
        container = self.desktop.folder / name
        subprocess.run([self.desktop.valise, "init", "-q", container], check=True)
        return container

    def bring(self, file, container, count, wrong=None, known=0):
        """Once, and once more, which adds nothing."""
        for added, known in ((count, known), (0, count + known)):
            said = self.answer("import", "--json", str(file), str(container))
            if (said["added"], said["known"], said["faultCount"]) != (added, known, 0):
                sentence = f"{file.name}: {added} new and {known} known ones were expected: {said}"
                if wrong is None: raise Failed(sentence)
                wrong.append(sentence)

    def differences(self, name, found, expected):
        left, right = collections.Counter(found), collections.Counter(expected)
        return [f"{name}: came  {link}" for link in (left - right).elements()] + [f"{name}: went  {link}" for link in (right - left).elements()]


def main(browser):
    """VALISE, and a folder in which the browser's files are kept, where they are wanted."""
    if not shutil.which(browser.program):
        print(f"{browser.name}: skipped, because there is no {browser.program}")
        return
    with Desktop(os.path.realpath(sys.argv[1])) as desktop:
        try:
            Trial(desktop, browser).tell()
        except (Failed, OSError, EOFError, subprocess.SubprocessError) as fault:
            desktop.picture(f"/tmp/{browser.name}-failed.png")
            traceback.print_exc()
            sys.exit(f"{browser.name}: {fault}\nThe screen is in /tmp/{browser.name}-failed.png")
        finally:
            if len(sys.argv) > 2 and sys.argv[2] and (desktop.folder / "browser").exists(): shutil.copytree(desktop.folder / "browser", sys.argv[2], dirs_exist_ok=True)
    print(f"{browser.name}: all is well")
