import PropertyLists

/// Bookmarks in a property list: Safari's `Bookmarks.plist`, and an app's preferences or its key-value store, which have an array of dictionaries with
/// a name and an address (the first story keeps them so, under `bookmarks`).
public enum LinkListReading {
    static let limits = {
        var limits = PropertyListLimits.standard
        (limits.objectCount, limits.memberCount, limits.depth) = (1 << 22, 1 << 20, 200)
        (limits.markupLength, limits.memory) = (1 << 26, 1 << 29)
        return limits
    }()

    static func read(_ source: any ByteSource, _ take: ListedItemTaker) {
        let list: PropertyList
        do throws(PropertyListFault) { list = try PropertyList(reading: source, limits: limits) } catch {
            _ = take(.fault(place: "all of it", reason: error.sentence))
            return
        }
        if list["Children"] != nil || list["WebBookmarkType"] != nil { safari(list, take) } else { settings(list, take) }
    }

    // MARK: Safari

    private static func safari(_ list: PropertyList, _ take: ListedItemTaker) {
        // What is still to be looked at, the next one last.
        var waiting: [(node: PropertyList, folders: [String], place: String)] = [(list, [], "the list")]
        while let (node, folders, place) = waiting.popLast() {
            switch node["WebBookmarkType"]?.text {
            case "WebBookmarkTypeLeaf":
                let reading = node["ReadingList"]
                var link = ListedLink(folders: folders, name: node["URIDictionary"]?["title"]?.text ?? node["Title"]?.text ?? "", url: node["URLString"]?.text ?? "")
                if case .date(let date)? = reading?["DateAdded"] ?? node["DateAdded"], date.isFinite, abs(date) < 1e11 { link.added = Int64(date) + 978_307_200 }
                link.note = reading?["PreviewText"]?.text
                if !take(link.checked(at: place)) { return }
            case "WebBookmarkTypeProxy": if !take(.other) { return }
            default:
                guard case .array(let children)? = node["Children"] else { continue }
                let title = node["Title"]?.text ?? ""
                let inner = name(title).map { folders + [$0] } ?? folders
                for (index, child) in children.enumerated().reversed() { waiting.append((child, inner, "item \(index + 1)\(title.isEmpty ? "" : " of “\(title.prefix(80))”")")) }
            }
        }
    }

    /// As Safari shows it, and as its exported HTML has it.
    private static func name(_ title: String) -> String? {
        switch title {
        case "", "BookmarksMenu": nil
        case "BookmarksBar": "Favorites"
        case "com.apple.ReadingList": "Reading List"
        default: title
        }
    }

    // MARK: An app's settings

    /// Of each array that has such dictionaries.
    public static func settings(_ list: PropertyList, _ take: ListedItemTaker) {
        guard case .dictionary(let members) = list else {
            if case .array = list { _ = entries(list, of: "the list", take) } else { _ = take(.fault(place: "all of it", reason: "it has no list of bookmarks")) }
            return
        }
        var isAny = false
        for member in members {
            guard case .array(let elements) = member.value, elements.contains(where: { address(of: $0) != nil }) else { continue }
            isAny = true
            if !entries(member.value, of: "“\(member.key.prefix(80))”", take) { return }
        }
        if !isAny { _ = take(.fault(place: "all of it", reason: "none of its values is a list of bookmarks (dictionaries with “name” and “url”)")) }
    }

    private static func entries(_ list: PropertyList, of key: String, _ take: ListedItemTaker) -> Bool {
        guard case .array(let elements) = list else { return true }
        for (index, element) in elements.enumerated() {
            let place = "item \(index + 1) of \(key)"
            guard let url = address(of: element) else {
                if !take(.fault(place: place, reason: "it is no dictionary with an address (“url”)")) { return false }
                continue
            }
            if !take(ListedLink(name: element["name"]?.text ?? element["title"]?.text ?? "", url: url).checked(at: place)) { return false }
        }
        return true
    }

    private static func address(of element: PropertyList) -> String? { element["url"]?.text ?? element["URL"]?.text }
}

extension PropertyListFault {
    var sentence: String {
        switch self {
        case .foreign(let words), .damaged(let words), .excessive(let words): words.hasSuffix(".") ? String(words.dropLast()) : words
        case .unreadable: "it cannot be read to its end"
        }
    }
}
