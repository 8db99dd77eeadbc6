import Widgets

// photokeeper-window: the app's window. `photokeeper window` starts it.

WindowApp.run("com.example.PhotoKeeper", name: "photokeeper", commands: "“photokeeper list” and the other commands need none.") {
    PhotoWindow.open()
}
