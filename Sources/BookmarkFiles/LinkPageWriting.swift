import PropertyLists

/// The HTML that browsers import: written a link after another, of which those in one folder follow each other.
public struct LinkPageWriting {
    private var open: [String] = []

    public init() {}

    public static let beginning = """
        <!DOCTYPE NETSCAPE-Bookmark-file-1>
        <!-- This is an automatically generated file.
             It will be read and overwritten.
             DO NOT EDIT! -->
        <META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
        <TITLE>Bookmarks</TITLE>
        <H1>Bookmarks</H1>
        <DL><p>

        """

    public mutating func text(of link: ListedLink) -> String {
        var text = turn(to: link.folders)
        let space = String(repeating: "    ", count: open.count + 1)
        // A browser that opens the page carries out no address that is a program.
        text += "\(space)<DT><A \(ProgramAddress.isOne(link.url) ? ProgramAddress.attribute : "HREF")=\"\(Self.escaped(link.url))\""
        if let added = link.added { text += " ADD_DATE=\"\(added)\"" }
        if let changed = link.changed { text += " LAST_MODIFIED=\"\(changed)\"" }
        if let icon = link.icon { text += " ICON=\"\(Self.escaped(icon))\"" }
        if !link.tags.isEmpty { text += " TAGS=\"\(Self.escaped(link.tags.joined(separator: ",")))\"" }
        text += ">\(Self.escaped(link.name))</A>\n"
        if let note = link.note { text += "\(space)<DD>\(Self.escaped(note))\n" }
        return text
    }

    public mutating func end() -> String { turn(to: []) + "</DL><p>\n" }

    /// Closes folders, and opens others.
    private mutating func turn(to folders: [String]) -> String {
        var text = ""
        let same = zip(open, folders).prefix { $0.utf8.elementsEqual($1.utf8) }.count
        while open.count > same {
            text += String(repeating: "    ", count: open.count) + "</DL><p>\n"
            open.removeLast()
        }
        for folder in folders.dropFirst(same) {
            let space = String(repeating: "    ", count: open.count + 1)
            let own = switch folder {
            case BrowserFolder.toolbar where open.isEmpty, BrowserFolder.bar where open.isEmpty: " PERSONAL_TOOLBAR_FOLDER=\"true\""
            case BrowserFolder.unfiled where open.isEmpty: " UNFILED_BOOKMARKS_FOLDER=\"true\""
            default: ""
            }
            text += "\(space)<DT><H3\(own)>\(Self.escaped(folder))</H3>\n\(space)<DL><p>\n"
            open.append(folder)
        }
        return text
    }

    private static func escaped(_ text: String) -> String { MarkupEntity.escaped(text).replacing("'", with: "&#39;") }
}
