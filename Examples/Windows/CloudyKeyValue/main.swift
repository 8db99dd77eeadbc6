import BookmarkScreen
import Widgets

// cloudy-keyvalue-window: the app's window. `cloudy-keyvalue window` starts it.

WindowApp.run("com.example.CloudyKeyValue", name: "cloudy-keyvalue", commands: "“cloudy-keyvalue list” and the other commands need none.") {
    BookmarkScreen.open { try StoredBookmarks() }
}
