import PropertyLists

/// Bookmarks as a tree in JSON: Chromium's `Bookmarks`, Firefox's backups, and what `valise export --json` writes.
///
/// It is gone through twice, because Chromium says what a folder is called behind all that is in it: first for the names of the folders, then for the
/// links. So only the folders' names are ever in memory.
struct LinkTreeReading {
    private let take: ListedItemTaker

    /// An object that is open. What is in it says what it is.
    private struct Object {
        let number: Int
        /// The key that it stands under, where it stands under one.
        let key: String?
        let place: String
        var name: String?, url: String?, root: String?
        var added: Int64?, changed: Int64?
        var tags: [String] = [], folders: [String] = []
        var note: String?, icon: String?
        var isFolder = false
    }

    /// Of a list in an object no more is kept.
    private static let mostWords = 1000

    private enum Level {
        case object(Object)
        case array(key: String?)
    }

    static func read(_ source: any ByteSource, _ take: @escaping ListedItemTaker) {
        var names: [Int: String] = [:]
        LinkTreeReading(take: { _ in true }).walk(source, names: [:]) { names[$0] = $1 }
        LinkTreeReading(take: take).walk(source, names: names) { _, _ in }
    }

    /// `folder` hears of each folder that has a name, by its number among the objects.
    private func walk(_ source: any ByteSource, names: [Int: String], folder: (Int, String) -> Void) {
        var tokens = JSONTokens(ByteStream(source)), levels: [Level] = [], path: [String] = [], named: [Bool] = [], key: String?, count = 0, isEmpty = true
        while true {
            let token = tokens.next()
            switch token {
            case .beginObject:
                levels.append(.object(Object(number: count, key: key, place: tokens.place)))
                let name = names[count]
                named.append(name != nil)
                if let name { path.append(name) }
                (key, count, isEmpty) = (nil, count + 1, false)
            case .beginArray:
                if key == "children", case .object(var object)? = levels.last {
                    object.isFolder = true
                    levels[levels.count - 1] = .object(object)
                }
                levels.append(.array(key: key))
                (key, isEmpty) = (nil, false)
            case .endArray:
                _ = levels.popLast()
                key = nil
            case .endObject:
                guard case .object(let object)? = levels.popLast() else { break }
                if named.popLast() == true { _ = path.popLast() }
                if object.isFolder, let name = Self.folderName(object) { folder(object.number, name) }
                if object.url != nil, !object.isFolder, !take(Self.item(object, path)) { return }
                key = nil
            case .key(let name): key = name
            case .text(let text):
                Self.note(key, text, &levels)
                key = nil
            case .number(let number):
                Self.note(key, "\(number)", &levels)
                key = nil
            case .other: key = nil
            case .fault(let reason):
                _ = take(.fault(place: tokens.place, reason: reason))
                return
            case .end:
                if isEmpty { _ = take(.fault(place: tokens.place, reason: "it is empty")) }
                return
            }
        }
    }

    private static func note(_ key: String?, _ text: String, _ levels: inout [Level]) {
        guard let last = levels.last else { return }
        switch last {
        case .array(let key):
            // Words in a list belong to the object around it.
            guard let key, key == "tags" || key == "folders", levels.count >= 2, case .object(var object) = levels[levels.count - 2] else { return }
            guard (key == "tags" ? object.tags : object.folders).count < mostWords else { return }
            if key == "tags" { object.tags.append(text) } else { object.folders.append(text) }
            levels[levels.count - 2] = .object(object)
        case .object(var object):
            switch key {
            case "name", "title": object.name = text
            case "url", "uri": object.url = text
            case "root": object.root = text
            case "type": object.isFolder = object.isFolder || text == "folder" || text == "text/x-moz-place-container"
            case "dateAdded": object.added = Int64(text).flatMap(MomentText.seconds)
            case "lastModified": object.changed = Int64(text).flatMap(MomentText.seconds)
            case "date_added": object.added = Int64(text).flatMap(MomentText.secondsSince1601)
            case "date_modified": object.changed = Int64(text).flatMap(MomentText.secondsSince1601)
            case "added": object.added = MomentText.seconds(text)
            case "changed": object.changed = MomentText.seconds(text)
            case "tags": object.tags = MomentText.words(text, between: ",")
            case "note": object.note = text
            case "icon": object.icon = text
            default: return
            }
            levels[levels.count - 1] = .object(object)
        }
    }

    private static func item(_ object: Object, _ path: [String]) -> ListedItem {
        ListedLink(
            folders: object.folders.isEmpty ? path : object.folders, name: object.name ?? "", url: object.url ?? "", added: object.added, changed: object.changed,
            tags: object.tags.map { ListedLink.name($0, for: "") }.filter { !$0.isEmpty }, note: object.note, icon: object.icon
        ).checked(at: object.place)
    }

    /// Folders that browsers have by themselves are called as in the HTML that these export, so that both say the same of where a link is.
    private static func folderName(_ object: Object) -> String? {
        if let root = object.root {
            switch root {
            case "placesRoot", "bookmarksMenuFolder": return nil
            case "toolbarFolder": return BrowserFolder.toolbar
            case "unfiledBookmarksFolder": return BrowserFolder.unfiled
            case "mobileFolder": return BrowserFolder.mobile
            default: break
            }
        }
        // Chromium's “Other bookmarks”.
        if object.key == "other" { return nil }
        let name = ListedLink.name(object.name ?? "", for: "")
        if object.key == "bookmark_bar" { return BrowserFolder.toolbar(called: name) }
        return name.isEmpty ? nil : name
    }
}
