import BookmarkScreen
import Widgets

// cloudy-window: the app's window. `cloudy window` starts it.

WindowApp.run("com.example.Cloudy", name: "cloudy", commands: "“cloudy list” and the other commands need none.") {
    BookmarkScreen.open { try DocumentBookmarks() }
}
