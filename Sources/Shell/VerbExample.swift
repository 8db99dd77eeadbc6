/// A line that somebody could type, and what it is for.
public struct VerbExample: Sendable {
    public let line: String
    public let purpose: String

    private init(_ line: String, _ purpose: String) {
        self.line = line
        self.purpose = purpose
    }

    /// By verb. Each verb has one.
    static let all: [String: [VerbExample]] = [
        "mount": [
            VerbExample("valise mount ~/Container ~/Drive", "show it"),
            VerbExample("valise mount -o ro,link=html ~/Container ~/Drive", "only look, with links as pages"),
            VerbExample("valise mount --log-file drive.log ~/Container ~/Drive", "and write down what it has to say"),
            VerbExample("valise mount ~/Backups/00008030-001C2D3E ~/Phone", "an iPhone's backup, to look at"),
        ],
        "unmount": [VerbExample("valise unmount ~/Drive", "take it away"), VerbExample("valise unmount --all", "take all of yours away")],
        "status": [VerbExample("valise status", "your drives"), VerbExample("valise status ~/Drive/Notes.txt", "the drive that this is on")],
        "list": [VerbExample("valise list -q", "the mountpoints, for a script")],
        "info": [VerbExample("valise info ~/Drive/*", "what each one is"), VerbExample("valise info --json Cat.png", "the same for a program")],
        "find": [
            VerbExample("valise find swift ~/Drive", "what has that in its name, URL or text"),
            VerbExample("valise find --live TRUEPREDICATE ~/Drive", "everything, and what changes from now on"),
        ],
        "kvs": [
            VerbExample("valise kvs list ~/Drive", "all keys and values"), VerbExample("valise kvs set name Swift ~/Drive", "a text"),
            VerbExample("valise kvs set --type integer count 5 ~/Drive", "a number"),
            VerbExample("valise kvs get --json bookmarks com.example.App", "for a program, by the app's identifier"),
        ],
        "open": [VerbExample("valise open ~/Drive/Swift.url", "see the page")],
        "show": [VerbExample("valise show ~/Drive/Notes.txt", "its earlier versions, in a window"), VerbExample("valise show", "your drives")],
        "versions": [VerbExample("valise versions Notes.txt", "its earlier versions"), VerbExample("valise versions -q Notes.txt", "a word for each"),
            VerbExample("valise versions --purge Notes.txt", "remove them for good"), VerbExample("valise versions --purge --older '30 days ago'", "of all documents")],
        "diff": [
            VerbExample("valise diff Notes.txt", "what the last save changed"), VerbExample("valise diff Notes.txt yesterday", "what changed since"),
            VerbExample("valise diff --tool meld Notes.txt 3 1", "side by side, in another program"),
        ],
        "restore": [
            VerbExample("valise restore Notes.txt 1", "as it was before the last save"), VerbExample("valise restore Notes.txt '2 hours ago'", "as it was then"),
            VerbExample("valise restore Notes.txt --saved", "give up what could not be saved"),
        ],
        "deleted": [VerbExample("valise deleted", "on all of your drives"), VerbExample("valise deleted --purge ~/Drive", "free the room that it takes")],
        "undelete": [
            VerbExample("valise undelete ~/Drive/Notes.txt", "one document, with its versions"),
            VerbExample("valise undelete --since '10 min ago'", "all that was just deleted"),
        ],
        "conflicts": [VerbExample("valise conflicts", "on all of your drives")],
        "resolve": [VerbExample("valise resolve Notes.txt 1", "that one is it"), VerbExample("valise resolve --both Notes.txt", "keep both, as two documents")],
        "init": [VerbExample("valise init ~/Container", "make a new one"), VerbExample("valise init --create text,photo ~/Container", "new files become texts and photos only")],
        "import": [
            VerbExample("valise import bookmarks.html ~/Drive", "what a browser exported"),
            VerbExample("valise import --dry-run ~/.mozilla/firefox/*/places.sqlite ~/Drive", "say what Firefox has, and change nothing"),
            VerbExample("valise import ~/Mac/Documents ~/Drive", "documents, packages, photos and texts of a folder"),
            VerbExample("valise import --undo ~/Drive", "take the last import back"),
        ],
        "export": [VerbExample("valise export ~/Drive >bookmarks.html", "for a browser"), VerbExample("valise export --folder ~/Copy ~/Drive", "all documents as plain files"),
            VerbExample("valise export --folder ~/Copy ~/Backups/00008030-001C2D3E", "all files of an iPhone's backup")],
        "check": [VerbExample("valise check ~/Container", "look, and change nothing"), VerbExample("valise check --repair ~/Container", "show what could be repaired, and ask")],
        "coordinate": [VerbExample("valise coordinate ~/Container -- tar -czf backup.tar.gz ~/Container", "a backup, for which saves wait")],
        "log": [VerbExample("valise log -f ~/Drive", "what it says from now on, too")],
        "doctor": [VerbExample("valise doctor ~/Container", "what would keep it from being mounted"), VerbExample("valise doctor --json", "the same for a program")],
        "help": [VerbExample("valise help mount", "explain “mount”")],
    ]
}
