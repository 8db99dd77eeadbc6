#!/usr/bin/env python3
"""A small window from which the files that it was started with can be dragged, as a file manager would have them."""

import sys

import gi

gi.require_version("Gtk", "4.0")
from gi.repository import Gdk, Gio, Gtk


def start(app):
    files = Gdk.FileList.new_from_list([Gio.File.new_for_path(path) for path in sys.argv[1:]])
    source = Gtk.DragSource(actions=Gdk.DragAction.COPY)
    source.set_content(Gdk.ContentProvider.new_for_value(files))
    label = Gtk.Label(label="Drag me")
    label.add_controller(source)
    Gtk.ApplicationWindow(application=app, title="Drag", default_width=160, default_height=120, child=label).present()


app = Gtk.Application(flags=Gio.ApplicationFlags.NON_UNIQUE)
app.connect("activate", start)
app.run()
