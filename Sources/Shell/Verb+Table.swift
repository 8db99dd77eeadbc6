// The verbs of `valise`. A new one is a case of `VerbName` and an entry here.

extension Verb {
    public static let all = VerbName.allCases.map(Verb.named)

    public static func named(_ name: VerbName) -> Verb {
        switch name {
        case .mount: mount
        case .unmount: unmount
        case .status: status
        case .list: list
        case .info: info
        case .find: find
        case .kvs: kvs
        case .open: open
        case .show: show
        case .versions: versions
        case .diff: diff
        case .restore: restore
        case .deleted: deleted
        case .undelete: undelete
        case .conflicts: conflicts
        case .resolve: resolve
        case .`init`: `init`
        case .`import`: `import`
        case .export: export
        case .check: check
        case .coordinate: coordinate
        case .log: log
        case .doctor: doctor
        case .help: help
        }
    }

    private static let mount = Verb(
        name: .mount,
        summary: "show a container as a drive",
        explanation: [
            "Mounts the documents of CONTAINER on the empty folder MOUNTPOINT, and returns once the drive answers. The drive is served by a process in the background until it is unmounted.",
            "CONTAINER may be a folder of containers, as a Mac's “Mobile Documents” is: the drive then has a folder for each app.",
            "A dead drive that an ended process left on MOUNTPOINT is cleaned up first.",
            "CONTAINER may be the folder of a backup of an iPhone or iPad, as Finder, iTunes and idevicebackup2 make them. It is only read. If it is encrypted, its password is asked for, unless --password-file names a file that has it in its first line. With --keep-key it is not asked for again in the next 8 hours.",
        ],
        operands: Operands("CONTAINER MOUNTPOINT", 2...2),
        options: [.foreground, .debug, .logFile, .passwordFile, .keepKey, .mountOptions],
        exitCodes: [
            ExitCode(code: 0, meaning: "the drive answers"),
            ExitCode(code: 1, meaning: "a usage error, or not permitted"),
            ExitCode(code: 2, meaning: "a system error: out of memory, processes or files"),
            ExitCode(code: 4, meaning: "an error in Valise itself"),
            ExitCode(code: 32, meaning: "the mount failed"),
        ])

    private static let unmount = Verb(
        name: .unmount,
        summary: "take a drive away, and wait until it has saved",
        explanation: [
            "DRIVE is a mountpoint, or a container that is mounted. Unmounts each and waits until the process that served it has saved what was open and ended. A drive that is in use stays, and the answer names who uses it.",
        ],
        operands: Operands("[DRIVE…]", 0...Operands.many),
        options: [.all, .lazy, .forgetKey],
        exitCodes: usual("every drive is unmounted", "a drive could not be unmounted, or its process did not end"))

    private static let status = Verb(
        name: .status,
        summary: "say how a drive is: open files, unsaved changes (drafts), conflicts, errors",
        explanation: [
            "Tells of DRIVE, or of every drive that you have mounted (as root: every drive); of several, in a table. DRIVE is a mountpoint, anything on a drive, or a container that is mounted. Asks the process that serves the drive, and says so when that does not answer within three seconds.",
            "Conflicts are looked for in the container, three seconds long; after that their number is a question mark. How much room earlier versions and deleted items take is told to who may free it: “valise versions --purge --all”, “valise deleted --purge”.",
        ],
        operands: Operands("[DRIVE…]", 0...Operands.many),
        options: [.details, .json],
        exitCodes: usual("the drives answered, or none is mounted", "a drive did not answer, or there is no such drive"))

    private static let list = Verb(
        name: .list,
        summary: "list the drives that are mounted, a line each",
        explanation: [
            "Lists every drive that you have mounted (as root: every drive) as “valise status” lists several. With -q, only their mountpoints.",
        ],
        operands: .none,
        options: [.json],
        exitCodes: usual("listed, also when there are none", "a drive did not answer"))

    private static let info = Verb(
        name: .info,
        summary: "say what a document is: kind, stored name, name, URL, state",
        explanation: [
            "DOCUMENT is a file on a drive, or an item in the folder of a container.",
        ],
        operands: Operands("DOCUMENT…", 1...Operands.many),
        options: [.json],
        exitCodes: usual("told of every document", "a document could not be read"))

    private static let find = Verb(
        name: .find,
        summary: "look for items by name, size, time, URL, text",
        explanation: [
            "PREDICATE is a condition as NSPredicate writes it: “name LIKE '*.txt' AND size > 10 kB”, “changed > now - 7d”, “url CONTAINS[c] 'swift.org'”. Anything else is taken for words, all of which are looked for in names, URLs and texts; words need no quotes. valise(1) has the language, with examples.",
            "WHERE is a drive, a container or a folder in one; without it, every drive that you have mounted (as root: every drive) is looked through. Paths are those on the drive where there is one. What was read of a container is remembered in a catalog in your cache.",
            "With --live, what is found has a “+” before it, and a line “=” says how many that are; then changes follow until the process is ended: “+” new, “~” changed, “-” gone.",
        ],
        operands: Operands("PREDICATE… [WHERE]", 1...Operands.many),
        options: [.live, .json, .sort, .limit, .scope, .null],
        exitCodes: [
            ExitCode(code: 0, meaning: "looked, also when nothing was found"), ExitCode(code: 1, meaning: "a container could not be read, a drive did not answer, or nothing was found in a folder that is neither"),
            ExitCode(code: 2, meaning: "a usage error, or a mistake in PREDICATE"),
        ])

    private static let kvs = Verb(
        name: .kvs,
        summary: "read and change an app's small settings",
        explanation: [
            "An app keeps small values under keys, beside its documents (NSUbiquitousKeyValueStore). “get KEY” prints one, “set KEY VALUE” sets it, “delete KEY” takes it away, “list” prints all, and “watch” tells what changes, until the process is ended: “+” new, “~” changed, “-” gone, after a line “=” with the number of keys.",
            "A key that is there keeps its type, and a new one is a string, unless --type says otherwise: string, integer, real, boolean, date, data, array or dictionary. Arrays and dictionaries are written as JSON. A VALUE “-” is read from standard input.",
            "WHERE is a drive, a container, its identifier in ~/.config/valise/containers, or the file of a store that lies elsewhere (mount option “kvs”); without it, the container that VALISE_CONTAINER names, the drive or the container that you are in, or the drive if one is mounted. There are 1,024 keys of 64 bytes at most, and 1 MB in all.",
        ],
        operands: Operands("get|set|delete|list|watch [KEY] [VALUE] [WHERE]", 1...4),
        options: [.keyType, .json],
        exitCodes: usual("done; of “delete”, also where there was no such key", "there is no such key, a value does not fit, or the container could not be read or written"))

    private static let open = Verb(
        name: .open,
        summary: "open a link file in the browser",
        explanation: [
            "Hands the address in FILE, which is a .url, .desktop, .webloc or .html file on a drive or anywhere else, to xdg-open. Only addresses of the web, of mail and the like are opened: never files or programs.",
        ],
        operands: Operands("FILE", 1...1),
        options: [],
        exitCodes: usual("handed over; from then on the exit status is xdg-open's", "FILE is no link, or its address is none to open"))

    private static let show = Verb(
        name: .show,
        summary: "open the window at a document, or at your drives",
        explanation: [
            "Starts valise-window, a package of its own, at FILE: with its earlier versions, what differs, and both sides where two changed it at once. FILE is a document on a drive, a drive, or a container that can be mounted there. Without it, the window begins with your drives.",
            "Where the window is not installed or there is no display, nothing is done but to say so.",
        ],
        operands: Operands("[FILE]", 0...1),
        options: [],
        exitCodes: usual("the window was closed", "there is no FILE, no window or no display"))

    private static let versions = Verb(
        name: .versions,
        summary: "list the earlier versions of a document, or free their room",
        explanation: [
            "DOCUMENT is a file on a drive, also a plain one, or an item in the folder of a container. Lists what it is now and its earlier versions, the newest first: number, when it was written, size, and on which computer it was saved. With -q, one word for each earlier version.",
            "With --purge, its earlier versions are removed for good, after a question that says how many they are and how much room that frees; conflicts that nobody has decided about stay. With --all or --older, a drive, a container or a folder in one may be named in place of DOCUMENT, and all documents there are meant; where nothing is named, all on every drive that you have mounted. Versions that belong to what was deleted go with that: “valise deleted --purge”.",
        ],
        operands: Operands("[DOCUMENT…]", 0...Operands.many),
        options: [.purgeVersions, .allVersions, .older, .yes, .json],
        exitCodes: usual("told of every document, or removed", "a document could not be found or read, or the answer to the question was no"))

    /// How the verbs that take one name a version.
    private static let namedVersions = "VERSION is a number of “valise versions”, a time or the beginning of one (“2026-11-21”, “2026-11-21 14:30”, “14:30”), “yesterday”, “2 hours ago”, or “now”. A time means what the document was then; where several versions are of that day or hour, they are listed."

    private static let diff = Verb(
        name: .diff,
        summary: "show in what two versions of a document differ",
        explanation: [
            "Compares VERSION with what DOCUMENT is now, or two VERSIONs with each other; without one, the last version, or the one that waits as a conflict. Texts and links line by line, photos by size, format and dimensions.",
            namedVersions,
        ],
        operands: Operands("DOCUMENT [VERSION] [VERSION]", 1...3),
        options: [.tool],
        exitCodes: [
            ExitCode(code: 0, meaning: "they are the same"),
            ExitCode(code: 1, meaning: "they differ"),
            ExitCode(code: 2, meaning: "a usage error, or a version could not be read"),
        ])

    private static let restore = Verb(
        name: .restore,
        summary: "give a document the content that it had",
        explanation: [
            namedVersions,
            "The document keeps its name, its owner and its permissions. What it is now becomes a version, so this can be undone.",
            "With --saved in place of a VERSION, unsaved changes (a draft) are given up, and DOCUMENT is what was saved last.",
        ],
        operands: Operands("DOCUMENT [VERSION]", 1...2),
        options: [.saved],
        exitCodes: usual("DOCUMENT has its old content", "it could not be restored"))

    private static let deleted = Verb(
        name: .deleted,
        summary: "list what was deleted and is kept",
        explanation: [
            "WHERE is a drive, a container or a folder in one, which may be gone itself; without it, every drive that you have mounted is looked at. Lists documents and plain files that were deleted there, the last one first: number, when, size, how many versions went along, and the path that each had. With -q, only the numbers. They can be read in .valise/deleted on the drive. What an app deleted in the container is not among them: the app itself brings that back, where it can.",
            "They are kept for thirty days, or as long as -o deleted=DAYS says, and within the room that versions have: the oldest go first. With --purge they go at once and for good.",
        ],
        operands: Operands("[WHERE]", 0...1),
        options: [.since, .purge, .yes, .json],
        exitCodes: usual("listed, also when there are none, or removed", "a container could not be read, or the answer to the question was no"))

    private static let undelete = Verb(
        name: .undelete,
        summary: "bring back what was deleted",
        explanation: [
            "Brings back what was deleted at PATH, or below it where that was a folder; or what has a NUMBER in “valise deleted”. With --since, all that was deleted since then, on the drive or below the folder that PATH names, or on the one drive that is mounted. Names, attributes and versions come back, too, and folders that are gone. Of several that had one name, the last one comes back: it is said which one that is, and how to get another one (not with -q).",
            "PATH is one on a drive or in a container. Numbers are those of the drive that is named beside them, of the one that you are on, or of the only one. Where another one has a name by now, what was deleted stays where it is; it can be moved out of .valise/deleted under any name. A document that was written anew within 15 seconds was not deleted: “valise versions” lists what was replaced.",
        ],
        operands: Operands("[PATH|NUMBER…]", 0...Operands.many),
        options: [.since],
        exitCodes: usual("all of it is back", "something could not be brought back"))

    private static let conflicts = Verb(
        name: .conflicts,
        summary: "list the documents that two sides changed at once",
        explanation: [
            "WHERE is a drive, a container or a folder in one; without it, every drive that you have mounted (as root: every drive) is looked at. Each document is listed with the versions that wait for somebody to decide.",
        ],
        operands: Operands("[WHERE]", 0...1),
        options: [.json],
        exitCodes: usual("listed, also when there are none", "a container could not be read"))

    private static let resolve = Verb(
        name: .resolve,
        summary: "decide about a document that two sides changed at once",
        explanation: [
            "With VERSION, that one is what DOCUMENT becomes. With --current it stays what it is; with --both the others become documents of their own beside it. What loses stays a version.",
        ],
        operands: Operands("DOCUMENT [VERSION]", 1...2),
        options: [.current, .both],
        exitCodes: usual("DOCUMENT has no conflict any more", "it could not be decided"))

    private static let `init` = Verb(
        name: .`init`,
        summary: "make a folder a container",
        explanation: [
            "FOLDER is made if it does not exist. KINDS are the kinds of documents that new files become: bookmark, photo and text, separated by commas, or none; without the option, all of them.",
        ],
        operands: Operands("FOLDER", 1...1),
        options: [.create, .samples],
        exitCodes: usual("FOLDER is a container", "it could not be made one"))

    private static let `import` = Verb(
        name: .`import`,
        summary: "bring in bookmarks of a browser, or documents, photos and texts of a folder",
        explanation: [
            "SOURCE is a file with bookmarks: HTML as browsers export it, Firefox's places.sqlite (also while Firefox runs) or a backup of it (.jsonlz4), Chromium's “Bookmarks”, Safari's Bookmarks.plist, CSV of Raindrop or Pocket, what “valise export --json” wrote, or an app's preferences with a list of names and addresses. Or it is a folder with photos, texts and link files, and with documents and packages as their apps keep them (a Mac's folder), or one of these packages or a ZIP of one (“Letter.rtfd.zip”); or a drive or a container whose app keeps bookmarks in its key-value store.",
            "WHERE is a drive, a container or a folder in one. Folders become folders; dates, tags, notes and icons of bookmarks are kept in their link files. What is in its folder already, by its address or by its content, is not imported again, so the same import can be repeated. What cannot be imported is listed with its place, and so is what is no document in a folder; the last lines count these, the titles that no name has room for and are shortened, and Firefox's own searches, which are left out (not with -q). Nothing is ever changed or deleted.",
            "With --undo, what the last import made goes among the deleted (“valise deleted”), but for what was changed since.",
        ],
        operands: Operands("SOURCE WHERE", 1...2),
        options: [.dryRun, .undoImport, .json, .progress],
        exitCodes: usual("all of SOURCE is there, but for what is left out by design", "something of SOURCE could not be imported, it was ended early, or the container could not be written"))

    private static let export = Verb(
        name: .export,
        summary: "write bookmarks as HTML or JSON, or all documents as files",
        explanation: [
            "WHERE is a drive, a container or a folder in one. Its bookmarks are written to standard output as the HTML that every browser imports, with --json as JSON; with --folder, all of its documents and files are copied into FOLDER as the plain files that a drive shows. What is not saved yet is not in it.",
            "WHERE may be the folder of a backup of an iPhone or iPad, and then goes with --folder: all of its files are written, decrypted where they are encrypted. It may be stopped; the same command goes on where it was.",
        ],
        operands: Operands("WHERE", 1...1),
        options: [.exportFolder, .exportJSON, .passwordFile],
        exitCodes: usual("all of it is written", "something could not be read or written"))

    private static let check = Verb(
        name: .check,
        summary: "look for damage in a container, and repair it",
        explanation: [
            "Looks at every document in CONTAINER, which may be named by a drive that shows it or by anything in it, and at what Valise keeps there, and changes nothing. The container may be mounted: what the drive has under way is left out then.",
            "With --repair, shows what it would do, asks, and does it; where nobody can be asked, as in a pipe, it is shown only, unless --yes is given. What saves have left behind is put aside, what a drive that ended early had under way is finished, photos get the thumbnails they lack. What is not understood is left as it is. The container must not be mounted for writing.",
            "CONTAINER may be the folder of a backup of an iPhone or iPad: then it is said for each app how many files are in it, and which files its list names and it does not have. What an app keeps in iCloud is in no backup.",
            "A repair can be taken back with --undo. What it put aside lies in .valise/undo until you delete it.",
        ],
        operands: Operands("CONTAINER", 1...1),
        options: [.repair, .yes, .undo, .json, .passwordFile],
        exitCodes: [
            ExitCode(code: 0, meaning: "nothing is wrong"),
            ExitCode(code: 1, meaning: "something was wrong, and all of it is repaired or taken back"),
            ExitCode(code: 4, meaning: "something is wrong still; 5 when something else was repaired"),
            ExitCode(code: 8, meaning: "the container, or a part of it, could not be looked at or written to"),
            ExitCode(code: 16, meaning: "a usage error"),
            ExitCode(code: 32, meaning: "the answer to the question was no"),
        ])

    private static let coordinate = Verb(
        name: .coordinate,
        summary: "run a command while nobody else changes an item",
        explanation: [
            "Waits until no other program writes ITEM, a document or folder on a drive or in a container, has it saved where it is open on a drive, and runs COMMAND. With --write, nobody reads it meanwhile either, and ITEM need not exist yet. A folder is claimed with all that is in it. COMMAND finds the item's place in the environment as VALISE_ITEM. Name ITEM where COMMAND writes, on the drive or in the container: what it writes by the other way waits for its own claim.",
            "Who is not to write meanwhile is kept off by a path in the container: what is saved on the drive waits then until COMMAND has ended, for ten seconds at the most. A path on the drive keeps off only who coordinates, and nobody who writes on that drive.",
            "The claims are kept by the drive that is mounted; where there is none, by this process as long as it runs.",
        ],
        operands: Operands("ITEM -- COMMAND…", 2...Operands.many),
        options: [.write, .timeout],
        exitCodes: [
            ExitCode(code: 2, meaning: "a usage error"),
            ExitCode(code: 125, meaning: "the item could not be claimed, and COMMAND was not run"),
            ExitCode(code: 126, meaning: "COMMAND could not be run"),
            ExitCode(code: 127, meaning: "there is no COMMAND; otherwise, its own exit code, or 128 and the signal that ended it"),
        ])

    private static let log = Verb(
        name: .log,
        summary: "show what a drive had to say",
        explanation: [
            "Shows the messages of DRIVE: what could not be saved and why, what other programs changed at the same time, and the like. They are in the file that it was mounted with (--log-file), or else in systemd's journal. DRIVE is a mountpoint, anything on a drive, or a container; in the journal, also of one that is not mounted any more.",
        ],
        operands: Operands("[DRIVE]", 0...1),
        options: [.follow],
        exitCodes: usual("shown; from then on the exit status is tail's or journalctl's", "there is no such drive, or its messages go nowhere"))

    private static let doctor = Verb(
        name: .doctor,
        summary: "check what a drive needs, and say how to fix it",
        explanation: [
            "Checks the system and the drives that are mounted; or, where CONTAINER is given, that and its own drives. Changes nothing.",
        ],
        operands: Operands("[CONTAINER]", 0...1),
        options: [.json],
        exitCodes: usual("no problem was found", "there is a problem"))

    private static let help = Verb(
        name: .help,
        summary: "explain a verb",
        explanation: [],
        operands: Operands("[VERB]", 0...1),
        options: [],
        exitCodes: usual("explained", "never"))

    private static func usual(_ good: String, _ bad: String) -> [ExitCode] {
        [ExitCode(code: 0, meaning: good), ExitCode(code: 1, meaning: bad), ExitCode(code: 2, meaning: "a usage error")]
            .filter { $0.meaning != "never" }
    }
}

extension Option {
    public static let foreground = Option("f", "foreground", "stay in the foreground until the drive is unmounted")
    public static let debug = Option("d", "debug", "print every request; implies -f")
    public static let mountOptions = Option("o", value: "OPTIONS", "mount options, separated by commas; see below")
    public static let all = Option("a", "all", "every drive that you have mounted (as root: every drive)")
    public static let lazy = Option(nil, "lazy", "take the drive away at once, even while it is in use")
    public static let details = Option(nil, "details", "also its process, memory and requests by kind")
    public static let json = Option(nil, "json", "answer as JSON, for programs")
    public static let live = Option(nil, "live", "go on, and tell what changes")
    public static let sort = Option(nil, "sort", value: "KEYS", "attributes, separated by commas; “-size”: the largest first")
    public static let limit = Option(nil, "limit", value: "N", "no more than so many")
    public static let scope = Option(nil, "scope", value: "documents|data|all", "what the drive shows, what lies beside it, or both")
    public static let keyType = Option(nil, "type", value: "TYPE", "the type of VALUE, where it is to be another one")
    public static let null = Option("0", "null", "end each path with a NUL byte; without, control characters are escaped")
    public static let current = Option(nil, "current", "the document stays what it is")
    public static let both = Option(nil, "both", "the other versions become documents of their own")
    public static let create = Option(nil, "create", value: "KINDS", "what new files become: bookmark,photo,text or none")
    public static let write = Option(nil, "write", "for a command that changes the item")
    public static let timeout = Option(nil, "timeout", value: "SECONDS", "do not wait for longer")
    public static let repair = Option(nil, "repair", "repair what can be repaired, after a question")
    public static let logFile = Option(nil, "log-file", value: "FILE", "add what the drive has to say to this file")
    public static let passwordFile = Option(nil, "password-file", value: "FILE", "the password of an encrypted backup is the first line of FILE")
    public static let keepKey = Option(nil, "keep-key", "the kernel keeps the key of an encrypted backup for 8 hours")
    public static let forgetKey = Option(nil, "forget-key", "the keys of backups that the kernel keeps are forgotten")
    public static let follow = Option("f", "follow", "go on with new messages as they come")
    public static let tool = Option(nil, "tool", value: "PROGRAM", "compare with this program, which is called with two files")
    public static let saved = Option(nil, "saved", "give up what is not saved, and go back to what is")
    public static let since = Option(nil, "since", value: "TIME", "what was deleted since then: “10 min ago”, “yesterday”, “14:30”")
    public static let purge = Option(nil, "purge", "remove it for good, after a question")
    public static let purgeVersions = Option(nil, "purge", "remove earlier versions for good, after a question")
    public static let allVersions = Option("a", "all", "with --purge: of all documents")
    public static let older = Option(nil, "older", value: "TIME", "with --purge: those from before “30 days ago”, “2026-01-01”")
    public static let yes = Option("y", "yes", "do not ask")
    public static let dryRun = Option("n", "dry-run", "say what would be done, and change nothing")
    public static let progress = Option(nil, "progress", "with --json, say in lines before the answer how far it is")
    public static let undoImport = Option(nil, "undo", "take the last import back: valise import --undo WHERE")
    public static let exportFolder = Option(nil, "folder", value: "FOLDER", "a new or empty folder for plain files")
    public static let exportJSON = Option(nil, "json", "bookmarks as JSON")
    public static let undo = Option(nil, "undo", "take the last repair back")
    public static let samples = Option(nil, "samples", "put a few documents into it")
    public static let quiet = Option("q", "quiet", "say nothing but what was asked for")
    public static let verbose = Option("v", "verbose", "also say what was done")
    /// Understood with every verb, and listed once.
    static let everywhere = [quiet, verbose, help]
    static let help = Option("h", "help", "explain the verb")
}
