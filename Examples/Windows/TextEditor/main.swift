import Widgets

// texteditor-window: the app's window. `texteditor window` starts it.

WindowApp.run("com.example.SimpleTextEditor", name: "texteditor", commands: "“texteditor list” and the other commands need none.") {
    NoteWindow.open()
}
