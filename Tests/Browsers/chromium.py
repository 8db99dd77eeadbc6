#!/usr/bin/env python3
"""Chromium (Debian: chromium), with a window: its page of bookmarks opens and writes the files, which its dialogs ask for."""

import json
import os
import pathlib
import shutil
import time

from devtools import DevTools
from trial import TOOLBAR, Browser, eventually, keys, main, type_text


class Chromium(Browser):
    name = "chromium"
    program = "chromium"

    def start(self, desktop):
        self.desktop, self.profile = desktop, desktop.folder / "profile"
        # Nobody's own: the distribution puts bookmarks into a profile that it has never seen.
        (self.profile / "Default").mkdir(parents=True)
        (self.profile / "First Run").touch()
        self.launch()

    def launch(self):
        words = [self.program, f"--user-data-dir={self.profile}", "--no-first-run", "--password-store=basic", "--disable-gpu", "about:blank"]
        if os.getuid() == 0: words.insert(1, "--no-sandbox")
        self.tools = DevTools(self.desktop.launch, words)
        pages = eventually(lambda: [page for page in self.tools.call("Target.getTargets")["targetInfos"] if page["type"] == "page"], "Chromium's window")
        self.page = self.tools.attach(pages[0]["targetId"])
        self.version = self.tools.call("Browser.getVersion")["product"].split("/")[1]
        self.tools.call("Page.navigate", self.page, url="chrome://bookmarks")
        eventually(lambda: self.run("typeof chrome.bookmarkManagerPrivate") == "object", "the page of bookmarks")

    def restart(self):
        """Its profile is written when it ends."""
        self.tools.call("Browser.close")
        self.tools.process.wait(60)
        self.launch()

    def run(self, script):
        return self.tools.run(self.page, script)

    def count(self):
        return self.run("chrome.bookmarks.search({}).then(found => found.filter(one => one.url).length)")

    def make_own(self):
        self.erase()
        return self.run("""(async () => {
            let count = 0;
            for (const root of (await chrome.bookmarks.getTree())[0].children) {
                const folder = await chrome.bookmarks.create({ parentId: root.id, title: "Inner & more" });
                await chrome.bookmarks.create({ parentId: root.id, title: "Empty" });
                for (const parentId of [root.id, folder.id]) {
                    await chrome.bookmarks.create({ parentId, url: `https://own.example/?a=1&amp;b=${++count}`, title: "" });
                    await chrome.bookmarks.create({ parentId, url: `https://own.example/?a=1&b=2&amp;c=${++count}`, title: "" });
                    await chrome.bookmarks.create({ parentId, url: `javascript:alert("${++count}" && 1)`, title: `<b>${count}</b> & "more"` });
                }
            }
            return [count, count];
        })()""")

    def erase(self):
        self.run("""(async () => {
            for (const root of (await chrome.bookmarks.getTree())[0].children)
                for (const one of root.children) await chrome.bookmarks.removeTree(one.id);
        })()""")

    def open_page(self, page, replace=False):
        if replace: self.erase()
        self.run("chrome.bookmarkManagerPrivate.import()")
        self.dialog("^Open File")
        keys("ctrl+l")
        time.sleep(1)
        type_text(str(page))
        time.sleep(1)
        keys("alt+o")
        eventually(self.count, "what was imported")
        # Its pictures come after it, and whoever exports before they are there waits for ever.
        time.sleep(3)
        self.restart()

    def files(self, folder):
        own = self.profile / "Default/Bookmarks"
        self.run("chrome.bookmarkManagerPrivate.export()")
        self.dialog("^Save File")
        # It proposes a name.
        keys("alt+s")
        page, = eventually(lambda: [page for page in self.desktop.folder.glob("**/bookmarks_*.html") if page.read_text().rstrip().endswith("</DL><p>")], "the page that was exported")
        page = page.rename(folder / "bookmarks.html")
        eventually(lambda: own.read_text().count('"type": "url"') == self.count(), "the profile's file")
        return [page, pathlib.Path(shutil.copy(own, folder))]

    def dialog(self, title):
        self.desktop.window(title)
        time.sleep(2)

    def addresses(self, urls):
        return self.run(f"{json.dumps(urls)}.map(url => {{ try {{ return new URL(url).href }} catch {{ return null }} }})")

    def kept(self, links):
        """The marked folder goes into its toolbar, and everything else into a folder there. Its importer takes nothing of the browser's own."""
        def place(folders):
            return ("Bookmarks bar", *folders[1:]) if folders[:1] in ((TOOLBAR,), ("Bookmarks bar",)) else ("Bookmarks bar", "Imported", *folders)
        return [link._replace(folders=place(link.folders)) for link in super().kept(links) if not link.url.startswith("about:")]


main(Chromium())
