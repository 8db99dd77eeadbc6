#!/usr/bin/env python3
"""Firefox (Debian: firefox-esr), without a window: its own code opens and writes the files, as its library's menu does."""

import pathlib
import shutil

from marionette import Marionette
from trial import Browser, eventually, main

UTILITIES = """
const { BookmarkHTMLUtils } = ChromeUtils.importESModule("resource://gre/modules/BookmarkHTMLUtils.sys.mjs");
const { PlacesUtils } = ChromeUtils.importESModule("resource://gre/modules/PlacesUtils.sys.mjs");
const { PlacesBackups } = ChromeUtils.importESModule("resource://gre/modules/PlacesBackups.sys.mjs");
"""


class Firefox(Browser):
    name = "firefox"
    program = "firefox-esr"
    keeps_tags = True

    def start(self, desktop):
        self.profile = desktop.folder / "profile"
        self.profile.mkdir()
        # A port that is free, and nothing among the bookmarks that a distribution or Mozilla puts there.
        (self.profile / "user.js").write_text('user_pref("marionette.port", 0);\nuser_pref("browser.bookmarks.restore_default_bookmarks", false);\n'
            'user_pref("browser.bookmarks.file", "");\nuser_pref("browser.places.importBookmarksHTML", false);\n')
        desktop.launch(self.program, "--headless", "--marionette", "--remote-allow-system-access", "--no-remote", "--profile", str(self.profile))
        port = self.profile / "MarionetteActivePort"
        self.marionette = Marionette(int(eventually(lambda: port.exists() and port.read_text().strip(), "Firefox's port")))
        self.run("await PlacesUtils.bookmarks.eraseEverything()")
        self.version = self.run("return Services.appinfo.version")

    def run(self, script, *values):
        return self.marionette.run(UTILITIES + script, *values)

    def open_page(self, page, replace=False):
        # To replace what is there is what it does with a first page, and then the marked folders become its own.
        self.run("await BookmarkHTMLUtils.importFromFile(values[0], { replace: values[1] })", str(page), replace)

    def make_own(self):
        return self.run("""
            const { menuGuid, toolbarGuid, unfiledGuid, mobileGuid, TYPE_FOLDER, TYPE_SEPARATOR } = PlacesUtils.bookmarks;
            await PlacesUtils.bookmarks.eraseEverything();
            let count = 0;
            for (const parentGuid of [menuGuid, toolbarGuid, unfiledGuid, mobileGuid]) {
                const folder = await PlacesUtils.bookmarks.insert({ parentGuid, type: TYPE_FOLDER, title: "Inner & more" });
                await PlacesUtils.bookmarks.insert({ parentGuid, type: TYPE_SEPARATOR });
                await PlacesUtils.bookmarks.insert({ parentGuid, url: "place:sort=8&maxResults=10", title: "Search" });
                await PlacesUtils.bookmarks.insert({ parentGuid, type: TYPE_FOLDER, title: "Empty" });
                for (const place of [parentGuid, folder.guid]) {
                    await PlacesUtils.bookmarks.insert({ parentGuid: place, url: `https://own.example/?a=1&amp;b=${++count}`, title: "" });
                    await PlacesUtils.bookmarks.insert({ parentGuid: place, url: `https://own.example/${++count}`, title: `<b>${count}</b> & "more"` });
                }
            }
            // What is on a telephone is in no HTML.
            return [count, count / 4 * 3];""")

    def files(self, folder):
        page, backup = folder / "bookmarks.html", folder / "bookmarks.jsonlz4"
        self.run("await BookmarkHTMLUtils.exportToFile(values[0])", str(page))
        self.run("await PlacesBackups.saveBookmarksToJSONFile(values[0])", str(folder / "bookmarks.json"))
        shutil.copy(self.run("await PlacesBackups.create(5, true); return await PlacesBackups.getMostRecentBackup()"), backup)
        # The database is Firefox's own, which has it open.
        return [page, folder / "bookmarks.json", backup, self.profile / "places.sqlite"]

    def addresses(self, urls):
        return self.run("return values[0].map(url => { try { return new URL(url).href } catch { return null } })", urls)

    def kept(self, links):
        """Tags belong to an address there, wherever it is."""
        links, tags = super().kept(links), {}
        for link in links: tags.setdefault(link.url, set()).update(link.tags)
        return [link._replace(tags=tuple(sorted(tags[link.url]))) for link in links]


main(Firefox())
