import Documents
import Foundation
import MountTesting
import Testing
import TextBundles

/// A kind of document in one way in which an app writes it, with content to try.
struct CrashKind: CustomTestStringConvertible, Sendable {
    /// What the store refuses that the container lies on.
    enum Refusing: Int32, Sendable { case nothing, renames, renamesAndLinks, permissions }

    let name: String
    let spelling: String?
    var refusing = Refusing.nothing
    var testDescription: String { name + (spelling.map { " " + $0 } ?? "") + (refusing == .nothing ? "" : " without \(refusing)") }

    static let all = [
        CrashKind(name: "bookmark", spelling: nil), CrashKind(name: "photo", spelling: "PhotoKeeper"),
        CrashKind(name: "photo", spelling: "PTK"), CrashKind(name: "text", spelling: nil),
        CrashKind(name: TextBundles.kind.name, spelling: nil), CrashKind(name: TextBundles.scraps.name, spelling: nil),
        CrashKind(name: TextBundles.leaves.name, spelling: nil),
    ]

    /// Folders that are one item. They are no documents, and what is done to them are operations of their own.
    static let folderItem = CrashKind(name: TextBundles.novel, spelling: nil)
    var isFolderItem: Bool { name == TextBundles.novel }

    var kind: any DocumentKind { isFolderItem ? DocumentKinds.folderItem : TextBundles.kinds.named(name)!.kind }
    var suffix: String {
        ["bookmark": ".url", "photo": ".png", "text": ".txt", "textbundle": ".md", "scrap": ".scrap", "leaf": ".fountain", TextBundles.novel: ".novel"][name]!
    }

    func content(_ words: String) -> [UInt8] {
        switch name {
        case "bookmark": Array("[InternetShortcut]\nURL=https://example.org/\(words)\n".utf8)
        case "photo": [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Array(String(repeating: words, count: 300).utf8)
            + [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]
        case "scrap": TextBundles.scrap(String(repeating: words + " ", count: 30))
        default: Array(String(repeating: words + " ", count: 30).utf8)
        }
    }
}

enum Operation: String, CaseIterable, Sendable {
    case create, save, edit, replace, adopt, rename, move, renameOver = "rename-over", delete, plain, restore, release
    /// Two documents of a kind in one folder and in two, a document and a plain file, a folder, and a document of another kind.
    case exchange, exchangeMove = "exchange-move", exchangePlain = "exchange-plain", exchangeFolder = "exchange-folder"
    case exchangeKinds = "exchange-kinds"
    /// What does not fit, under the name of a document that was put away: the document comes back, and what was written is its draft.
    /// The second one is what had another name first.
    case putBack = "put-back", putBackMoved = "put-back-moved"
    /// A plain file that was a document is that document again, under another name.
    case recall
    /// Names of what a draft waits for: of its document, of a folder above it, and its own over a document with a draft.
    case renameDraft = "rename-draft", moveFolder = "move-folder", renameUnborn = "rename-unborn"
    /// A plain file, and a draft that becomes one, over a document.
    case plainOver = "plain-over", releaseOver = "release-over"
    /// About what a document was, and not about what it is.
    case clash, clashLost = "clash-lost", restoreVersion = "restore-version", resolve, resolveBoth = "resolve-both", thin
    /// What an app has written whole: in the place of what it began from, of something else, and of nothing.
    case handOver = "hand-over", handOverClash = "hand-over-clash", handOverNew = "hand-over-new"
    /// A package that programs have filled beside its place comes into it: where nothing is, over another document, over an equal one. And a document's
    /// package is copied, so that programs may change it.
    case grow, growOver = "grow-over", growEqual = "grow-equal", growCopy = "grow-copy"
    /// What another computer says: this is what the document is now, a new one, a conflict beside it, an earlier version; it is gone, is elsewhere, may
    /// be used otherwise, has another one's place; a link, an empty folder, a plain file.
    case remoteCurrent = "remote-current", remoteNew = "remote-new", remoteConflict = "remote-conflict", remoteEarlier = "remote-earlier"
    case remoteGone = "remote-gone", remoteMoved = "remote-moved", remoteMode = "remote-mode", remoteExchange =
        "remote-exchange"
    case remoteLink = "remote-link", remoteFolder = "remote-folder", remotePlain = "remote-plain"
    /// What is deleted is kept, comes back, and goes.
    case keep, keepOver = "keep-over", keepPlain = "keep-plain", keepPlainOver = "keep-plain-over", undelete, purge
    /// What a plain file is, before it is changed, and when another one takes its name.
    case keepVersion = "keep-version", keepVersionOver = "keep-version-over"
    /// What was deleted is there again, as it was: made anew by others, and of a plain file.
    case rejoin, rejoinNew = "rejoin-new"
    /// Another document gets the stored name of one that waits in case its name comes back, and the folder moves that one is in.
    case renameWaiting = "rename-waiting", moveWaiting = "move-waiting"
    /// A folder that is one item is removed as any folder is, comes back and goes for good; another one is made in its place by the program that has
    /// removed it; it is what it was earlier; an app saves it, also over what somebody else made of it.
    case keepFolder = "keep-folder", undeleteFolder = "undelete-folder", purgeFolder = "purge-folder", renewFolder = "renew-folder"
    case restoreFolder = "restore-folder", putFolder = "put-folder", putFolderClash = "put-folder-clash"
    /// An import: what it hands over comes to its place, and goes again. Of many, each is one for itself.
    case placeMany = "place-many", takeBack = "take-back"
    /// With the copy of it that a sync tool has left.
    case moveCopied = "move-copied"

    /// Texts with names that are too long for their items: one that is there, in the folder too, and one that comes.
    case createLong = "create-long", renameLong = "rename-long", renameOverLong = "rename-over-long", renameLonger = "rename-longer"
    case shorten, deleteLong = "delete-long", plainLong = "plain-long", moveFolderLong = "move-folder-long"
    case exchangeLong = "exchange-long", exchangeFolderLong = "exchange-folder-long"

    static let withNames: [Operation] = [
        .createLong, .renameLong, .renameOverLong, .renameLonger, .shorten, .deleteLong, .plainLong, .moveFolderLong, .exchangeLong,
        .exchangeFolderLong,
    ]
    static let onVersions: [Operation] = [
        .clash, .clashLost, .keepVersion, .keepVersionOver, .restoreVersion, .resolve, .resolveBoth, .thin, .moveCopied,
        .handOver, .handOverClash, .growOver, .remoteConflict, .remoteEarlier, .remoteExchange
    ]
    static let onDeleted: [Operation] = [.takeBack, .keep, .keepOver, .keepPlain, .keepPlainOver, .undelete, .purge, .recall, .rejoin, .rejoinNew, .renameWaiting, .moveWaiting, .remoteGone, .remotePlain]
    static let ofPackages: [Operation] = [.grow, .growOver, .growEqual, .growCopy]
    static let onFolderItems: [Operation] = [
        .keepFolder, .undeleteFolder, .purgeFolder, .renewFolder, .restoreFolder, .putFolder, .putFolderClash,
    ]
    var isRemote: Bool { rawValue.hasPrefix("remote") }
    /// Programs remove the folder, one thing after another.
    var removesFolder: Bool { [.keepFolder, .renewFolder].contains(self) }
    /// Before it something may have been kept among the deleted.
    var keepsDeleted: Bool { (Self.onDeleted + Self.onFolderItems).contains(self) }
    var hasCopy: Bool { [.resolve, .resolveBoth, .moveCopied].contains(self) }

    /// It begins with drafts, with something deleted or with a package that grows, so before it is what a crash before its first call leaves.
    var hasDrafts: Bool { [.renameDraft, .moveFolder, .renameUnborn, .releaseOver, .grow, .growOver, .growEqual, .undelete, .purge, .recall, .rejoin, .rejoinNew, .renameWaiting, .moveWaiting, .undeleteFolder, .purgeFolder, .renewFolder].contains(self) }

    /// It is two operations: a document loses its name, and then something comes of what is written under that.
    var comesBack: Bool { [.restore, .putBack, .putBackMoved].contains(self) }

    /// What is done otherwise with a package that is shown as one flat file.
    static let onFlatFiles: [Operation] = [
        .create, .save, .replace, .rename, .move, .renameOver, .delete, .plain, .restore, .release, .exchange, .exchangeMove, .exchangeFolder,
        .clash, .clashLost, .restoreVersion, .resolve, .resolveBoth, .thin, .keep, .keepOver, .undelete, .purge,
        .handOver, .handOverClash, .handOverNew, .grow, .growOver, .growEqual, .growCopy,
    ]

    /// And with a content that lies deeper in its package.
    static let onDeepContent: [Operation] = [
        .create, .save, .replace, .rename, .renameOver, .restore, .release, .clash, .clashLost, .restoreVersion, .resolveBoth, .growOver, .handOver,
        .handOverClash,
    ]

    func isPossible(with kind: CrashKind) -> Bool {
        if kind.isFolderItem || Self.onFolderItems.contains(self) { return kind.isFolderItem && Self.onFolderItems.contains(self) }
        if kind.name == TextBundles.leaves.name { return Self.onDeepContent.contains(self) }
        if kind.kind.flat != nil { return Self.onFlatFiles.contains(self) }
        return (self != .exchangeKinds || kind.name == "bookmark") && (!Self.ofPackages.contains(self) || kind.kind.parts != nil) && (!(Self.withNames + [.keepPlain, .keepPlainOver, .keepVersion, .keepVersionOver, .rejoin, .rejoinNew, .remoteLink, .remoteFolder, .remotePlain]).contains(self) || kind.name == "text")
    }
}

struct CrashCase: CustomTestStringConvertible, Sendable {
    let operation: Operation
    let kind: CrashKind
    /// A file and a package with versions, and a file and a package as they are saved without.
    var keepsVersions: Bool {
        (Operation.onVersions + Operation.onFolderItems).contains(operation) || kind.name.hasPrefix("text") || kind.name == TextBundles.leaves.name || kind.spelling == "PTK"
    }
    var testDescription: String { "\(operation.rawValue) \(kind.testDescription)" }
    /// Where each point is tried several times: without the photos of the Swift app, whose plans are the shorter ones.
    static let most = all.filter { $0.kind.spelling != "PhotoKeeper" }
    /// On stores that have no rename that replaces nothing, nor one that exchanges; and then no second names either. What is not shipped is not
    /// tried there: its steps are those of the others. Nothing is recalled there.
    static let onPoorStores = most.filter { ![TextBundles.kind.name, TextBundles.scraps.name, TextBundles.leaves.name].contains($0.kind.name) && $0.operation != .recall }.flatMap { trial in [.renames, .renamesAndLinks].map(trial.refusing) }

    /// Of calls, those that are tried, by their numbers: of each operation and kind its share, and another one each day, unless VALISE_CRASH_POINTS
    /// is “all”. On poor stores there are twice as many calls, and what a caller does is the same.
    func tried(_ numbers: [Int]) -> [Int] {
        guard !Self.triesAll else { return numbers }
        let share = (kind.refusing == .nothing ? 4 : 12) * (TestRun.isWhole ? 1 : 4)
        let some = numbers.filter { ($0 + testDescription.utf8.count + TestRun.seed).isMultiple(of: share) }
        return some.isEmpty ? Array(numbers.suffix(1)) : some
    }
    static let triesAll = ProcessInfo.processInfo.environment["VALISE_CRASH_POINTS"] == "all"
    func refusing(_ refusing: CrashKind.Refusing) -> CrashCase {
        CrashCase(operation: operation, kind: CrashKind(name: kind.name, spelling: kind.spelling, refusing: refusing))
    }

    /// Those of VALISE_CRASH_OPERATIONS alone, where somebody tries what was changed: “keep purge”.
    private static let operations = ProcessInfo.processInfo.environment["VALISE_CRASH_OPERATIONS"].map { words in
        Operation.allCases.filter { words.split(separator: " ").contains(Substring($0.rawValue)) }
    }

    static let all = (operations ?? Operation.allCases).flatMap { operation in
        // What is kept of a photo does not depend on how its app spells it.
        (CrashKind.all + [.folderItem]).filter(operation.isPossible).filter { $0.spelling != "PhotoKeeper" || !(Operation.onVersions + Operation.onDeleted).contains(operation) }.map { CrashCase(operation: operation, kind: $0) }
    }
}
