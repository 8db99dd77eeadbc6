import CallFaults
import Containers
import Documents
import LinuxFiles
import TextBundles

/// One operation on a container. It can be asked for again after it failed.
protocol TrialOperation: AnyObject {
    /// 0, or why it cannot begin.
    func prepare() -> Int32
    /// 0, or why it failed.
    func run() -> Int32
    var heldDescriptors: Int { get }
    var written: Int { get }
}

/// One operation on a container's documents, as the drive would ask for it.
final class Trial: TrialOperation {
    private let path: String, operation: String, kindName: String, contentPath: String
    /// Where something was kept before.
    private let keepsVersions: Bool, keepsDeleted: Bool
    private var container: Container?, workshop: Workshop?
    private var kind = TextBundles.kinds.all[0]
    private var content: [UInt8] = []
    private var cat: Name?, dog: Name?
    private var draft: Draft?, other: Draft?, away: AwayItem?
    /// How many calls it took until the content was in the draft: before that, nothing has to be there after a crash.
    private(set) var written = 0

    init(container: String, operation: String, kind: String, content: String) {
        (path, self.operation, kindName, contentPath) = (container, operation, kind, content)
        keepsVersions = (try? Descriptor.atPath(container + "/.valise/versions", .path)) != nil
        keepsDeleted = (try? Descriptor.atPath(container + "/.valise/deleted", .path)) != nil
    }

    var heldDescriptors: Int { draft == nil || isWaiting ? 0 : 1 }

    /// There are drafts from the beginning.
    private var isWaiting = false

    func prepare() -> Int32 {
        guarded {
            kind = TextBundles.kinds.named(kindName) ?? kind
            // Of a large one, the size is all that matters.
            if operation != "save-large" { content = try Descriptor.atPath(contentPath, .read).readAll(limit: 1 << 24) }
            guard operation != "recover" else { return }
            try open()
            guard let container else { return }
            (cat, dog) = (try stored("Cat", container), try stored("Dog", container))
            isWaiting = try waitingDrafts()
            try handOver()
            try beginGrowing()
        }
    }

    func run() -> Int32 { guarded { try act() } }

    private func guarded(_ body: () throws -> Void) -> Int32 {
        do {
            try body()
            return 0
        } catch let error as Errno { return error.rawValue }
        catch let error as Failure { return error.errno.rawValue }
        catch SaveFault.failed(let error) { return error.rawValue }
        catch DocumentFault.unreadable(let number?) { return number }
        catch { return 9999 }
    }

    private func open() throws {
        let container = try Container.open(path, access: .readWrite, kinds: TextBundles.kinds)
        let workshop = try Workshop.open(in: container, purpose: "on trial", versions: keepsVersions ? .standard : .off,
            deleted: keepsDeleted ? .standard : .off)
        _ = try workshop.recover()
        (self.container, self.workshop) = (container, workshop)
    }

    private func stored(_ stem: String, _ container: Container, in folder: OpenFile? = nil) throws -> Name? {
        let folder = folder ?? container.documents
        var entries = try FolderReader(folder.descriptor)
        while let entry = try entries.next() {
            // A copy that a sync tool left is called as its original is.
            if "\(entry.name)".contains("sync-conflict") { continue }
            let item = try container.reader.read(entry.name, type: entry.type, in: folder.descriptor)
            let path = folder === container.documents ? [] : ["Sub"].compactMap { Name($0) }
            guard let document = item.document, document.kind == kind,
                try container.name(of: document, stored: entry.name, in: path).bytes.starts(with: Array((stem + ".").utf8)) else { continue }
            container.note(document.reading, of: kind)
            return entry.name
        }
        return nil
    }

    private var suffix: String { ["bookmark": ".url", "photo": ".png", "text": ".txt", "textbundle": ".md", "scrap": ".scrap", "leaf": ".fountain"][kindName] ?? "" }

    private func address(_ stem: String, plain: Bool = false, in folder: String? = nil) throws -> Address {
        guard let container, let shown = Name(stem + (plain ? "" : suffix)) else { throw Errno.invalid }
        guard let folder, let name = Name(folder) else { return Address(folder: container.documents, path: [], shown: shown) }
        return Address(folder: OpenFile(try container.documents.descriptor.open(name, [.path, .folder])), path: [name], shown: shown)
    }

    /// Names that are longer than an item's of a text can be, and begin alike.
    static let long = String(repeating: "b", count: 249), other = long + "er"
    private func long(_ container: Container) throws -> Name? { try stored(Self.long, container) }

    private func place(_ stored: Name) throws -> DocumentPlace {
        guard let container else { throw Errno.invalid }
        return DocumentPlace(folder: container.documents, path: [], stored: stored, kind: kind)
    }

    private func fill(_ draft: Draft, with bytes: [UInt8]? = nil, at offset: Int64 = 0) throws {
        try draft.file.descriptor.write(bytes ?? content, at: draft.contentStart + offset)
        draft.touch()
        written = CallFaults_count()
    }

    private func newDraft(_ address: Address, base: Base? = nil) throws -> Draft {
        guard let workshop else { throw Errno.invalid }
        let draft = try self.draft ?? workshop.newDraft(kind, at: address, mode: 0o640, base: base)
        self.draft = draft
        return draft
    }

    /// The drafts that an operation finds.
    private func waitingDrafts() throws -> Bool {
        guard let container, let workshop, let cat, let dog else { return false }
        func draft(of name: Name, at place: Address, _ bytes: [UInt8]) throws -> Draft {
            let opened = try container.reader.open(name, as: kind, in: place.folder.descriptor)
            let draft = try workshop.draft(of: opened, at: place, stored: name, keepingContent: false)
            try fill(draft, with: bytes)
            return draft
        }
        let garbage: [UInt8] = [0xFF, 0xFE, 0x00, 0xFF]
        switch operation {
        case "rename-draft", "release-over": self.draft = try draft(of: cat, at: try address("Cat"), garbage)
        case "move-folder":
            let place = try address("Elk", in: "Sub")
            guard let elk = try stored("Elk", container, in: place.folder) else { throw Errno.invalid }
            self.draft = try draft(of: elk, at: place, garbage)
        case "rename-unborn":
            self.draft = try workshop.newDraft(kind, at: try address("New"), mode: 0o640)
            if let draft = self.draft { try fill(draft) }
            // Younger than what comes to its place.
            other = try draft(of: dog, at: try address("Dog"), Array(content.prefix(content.count - 1)) + (kindName == "bookmark" ? [0x78, 0x0A] : [0x78]))
        case "save-large":
            let draft = try workshop.newDraft(kind, at: try address("New"), mode: 0o640)
            try fill(draft, with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
            try draft.truncate(to: try Descriptor.atPath(contentPath, .read).status().size)
            self.draft = draft
        case "undelete", "purge", "rejoin", "rejoin-new":
            let again = Name(constant: "again")
            if operation.hasPrefix("rejoin") { try copy(cat, of: container.documents, to: container.documents, as: again) }
            try workshop.commit(.moveToDeleted(try putAway(cat, from: try address("Cat"))))
            if operation == "rejoin" { try container.documents.descriptor.rename(again, to: container.documents.descriptor, as: cat) }
            return false
        case "rename-waiting", "move-waiting":
            if operation == "rename-waiting" { _ = try putAway(cat, from: try address("Cat")) } else {
                let place = try address("Elk", in: "Sub")
                guard let elk = try stored("Elk", container, in: place.folder) else { throw Errno.invalid }
                _ = try putAway(elk, from: place)
            }
            return false
        case "recall":
            let opened = try container.reader.open(cat, as: kind, in: container.documents.descriptor), out = try address("Cat.orig", plain: true)
            guard let away = try workshop.commit(.turnPlain(opened, cat, from: try address("Cat"), to: out, as: out.shown)).away else { throw Errno.invalid }
            try workshop.commit(.moveToDeleted(away))
            try container.documents.descriptor.open(out.shown, [.write, .truncate]).write(content, at: 0)
            return false
        default: return false
        }
        written = 0
        return true
    }

    private var isHandedOver = false

    /// What an app has written: the same as Dog.
    private func handOver() throws {
        guard operation.hasPrefix("hand-over") || operation.hasPrefix("remote") || ["place-many", "take-back"].contains(operation), !isHandedOver, let container, let dog else { return }
        let folder = try container.handedFolder(), name = Name(constant: "handed")
        switch operation {
        case "remote-link": if try !folder.descriptor.exists(name) { try folder.descriptor.makeSymbolicLink(name, to: Array("Sub/far away".utf8)) }
        case "remote-folder": try? folder.descriptor.makeFolder(name)
        case "place-many":
            try? folder.descriptor.makeFolder(name)
            let many = OpenFile(try folder.descriptor.open(name, [.path, .folder]))
            if try !many.descriptor.exists(new) { try copy(dog, of: container.documents, to: many, as: new) }
        case "take-back":
            guard let cat, let stamp = try container.contentStamp(at: [cat]) else { return }
            try folder.descriptor.open(name, [.write, .create, .truncate], mode: 0o600).write(Array((MadeItem(path: [cat], stamp: stamp).line + "\n").utf8), at: 0)
        case "remote-plain": try folder.descriptor.open(name, [.write, .create, .truncate], mode: 0o600).write(Array("other notes".utf8), at: 0)
        case "remote-current", "remote-new", "remote-conflict", "remote-earlier", "hand-over", "hand-over-clash", "hand-over-new":
            try copy(dog, of: container.documents, to: folder, as: name)
            // A photo with a folder of which no kind speaks.
            if ["remote-current", "hand-over", "hand-over-clash"].contains(operation), let package = try? folder.descriptor.open(name, [.path, .folder]) {
                let assets = Name(constant: "assets")
                try? package.makeFolder(assets)
                try package.open(assets, [.path, .folder]).open(Name(constant: "two"), [.write, .create, .truncate], mode: 0o600).write(Array("two".utf8), at: 0)
            }
            if kind.kind.flat != nil { try age(folder.descriptor.open(name, [.path, .folder])) }
        default: break
        }
        isHandedOver = true
    }

    /// What an import does with what it hands over.
    private func doWithMany(_ workshop: Workshop) throws {
        try handOver()
        isHandedOver = false
        try workshop.commit(.decideOfMany(operation == "place-many" ? .place(Name(constant: "handed")) : .takeBack(Name(constant: "handed")), at: []))
    }

    private var new: Name { Name(kind.kind.storedName(forShown: Array("New\(suffix)".utf8), at: UnixMicroseconds(rawValue: 1_700_000_000_000_000), attempt: 0)) ?? Name(constant: "New") }

    /// What another computer says.
    private func adopt(_ container: Container, _ workshop: Workshop, _ cat: Name) throws {
        try handOver()
        isHandedOver = false
        let handed = Name(constant: "handed"), sub = Name(constant: "Sub"), notes = Name(constant: "notes.md"), what: Adoption.What
        var item = [cat], expected: Adoption.Expectation?
        switch operation {
        case "remote-current": what = .current(handed)
        case "remote-new":
                (what, item, expected) = (.current(handed), [new].compactMap { $0 }, .nothing)
        case "remote-conflict": what = .version(handed, isConflict: true)
        case "remote-earlier": what = .version(handed, isConflict: false)
        case "remote-gone": what = .gone
        case "remote-moved": what = .moved(to: [sub, cat])
        case "remote-exchange":
            guard let dog, let state = try container.state(at: [dog]) else { throw Errno.invalid }
            what = .exchanged(with: [dog], expecting: .state(state))
        case "remote-mode": what = .permissions(0o600)
        case "remote-link": (what, item, expected) = (.current(handed), [Name(constant: "link")], .nothing)
        case "remote-folder": (what, item, expected) = (.current(handed), [Name(constant: "Empty")], .nothing)
        case "remote-plain": (what, item) = (.current(handed), [notes])
        default: throw Errno.invalid
        }
        if expected == nil, let state = try container.state(at: item) { expected = .state(state) }
        let there = Provenance(Timestamp(seconds: 1_600_000_000), computer: "far away")
        try workshop.commit(.adopt(Adoption(what, of: item, expecting: expected ?? .nothing, from: there)))
    }

    private func putAway(_ stored: Name, from place: Address) throws -> AwayItem {
        guard let away = try workshop?.commit(.putAway(stored, kind, from: place)).away else { throw Errno.invalid }
        return away
    }

    private func copy(_ name: Name, of folder: OpenFile, to target: OpenFile, as new: Name) throws {
        guard try folder.descriptor.status(of: name).type == .folder else {
            let bytes = try folder.descriptor.open(name, .read).readAll(limit: 1 << 24)
            return try target.descriptor.open(new, [.write, .create, .truncate], mode: 0o600).write(bytes, at: 0)
        }
        try? target.descriptor.makeFolder(new)
        let inner = OpenFile(try folder.descriptor.open(name, [.path, .folder])), place = OpenFile(try target.descriptor.open(new, [.path, .folder]))
        var entries = try FolderReader(inner.descriptor)
        while let entry = try entries.next() { try copy(entry.name, of: inner, to: place, as: entry.name) }
    }

    private func saveHandedOver(_ container: Container, _ workshop: Workshop, _ cat: Name) throws {
        try handOver()
        isHandedOver = false
        let base = operation == "hand-over-clash" ? BaseStamp(text: "1.2.3") : try container.contentStamp(at: [cat])
        let new = Name(kind.kind.storedName(forShown: Array("New\(suffix)".utf8), at: UnixMicroseconds(rawValue: 1_700_000_000_000_000), attempt: 0))
        guard let place = operation == "hand-over-new" ? new : cat else { throw Errno.invalid }
        try workshop.commit(.put(StagedItem(name: Name(constant: "handed"), base: base), at: [place]))
    }

    /// A package that programs have filled: the same as Dog, with a folder of which no kind speaks, or as Cat.
    private func beginGrowing() throws {
        guard ["grow", "grow-over", "grow-equal"].contains(operation), let container, let cat, let dog, let growing = GrowingName.of(operation == "grow" ? new : cat) else { return }
        try copy(operation == "grow-equal" ? cat : dog, of: container.documents, to: container.documents, as: growing)
        let package = try container.documents.descriptor.open(growing, [.path, .folder])
        // What is equal may be used alike, too: permissions come over before anything else does. A store may refuse them.
        let original = OpenFile(try container.documents.descriptor.open(cat, [.path, .folder]))
        var entries = try FolderReader(original.descriptor)
        while operation == "grow-equal", let entry = try entries.next() { try? package.open(entry.name, .path).setPlacePermissions(original.descriptor.status(of: entry.name).permissions) }
        if operation == "grow-over" {
            let assets = Name(constant: "assets")
            try? package.makeFolder(assets)
            try package.open(assets, [.path, .folder]).open(Name(constant: "two"), [.write, .create, .truncate], mode: 0o600).write(Array("two".utf8), at: 0)
        }
        try age(package)
    }

    /// The times in a flat file are what it is.
    private func age(_ folder: borrowing Descriptor) throws {
        let then = Descriptor.TimeChange.at(Timestamp(seconds: TextBundles.scrapTime))
        var entries = try FolderReader(folder)
        while let entry = try entries.next() {
            if entry.type == .folder { try age(folder.open(entry.name, [.path, .folder])) }
            try folder.open(entry.name, .path).setTimes(accessed: then, modified: then)
        }
    }

    private func grow(_ workshop: Workshop, _ cat: Name) throws {
        if operation == "grow-copy" { return _ = try workshop.commit(.copyToGrow(cat, in: try address("Cat"))) }
        let base = try container?.contentStamp(at: [cat])
        try workshop.commit(.placeGrown(kind, as: operation == "grow" ? new : cat, since: base, in: try address("Cat")))
    }

    /// One of two things that change places.
    private func party(_ name: Name?, _ item: ExchangeParty.Item, at place: Address) throws -> ExchangeParty {
        guard let name else { throw Errno.noSuchEntry }
        return ExchangeParty(stored: name, item: item, address: place, draft: nil, newKind: nil)
    }

    private func exchange(_ container: Container, _ workshop: Workshop) throws {
        let one = try party(cat, .document(kind), at: try address("Cat")), two: ExchangeParty
        switch operation {
        case "exchange": two = try party(dog, .document(kind), at: try address("Dog"))
        case "exchange-move":
            let place = try address("Elk", in: "Sub")
            two = try party(try stored("Elk", container, in: place.folder), .document(kind), at: place)
        case "exchange-plain":
            let place = try address("fresh.\(kindName)", plain: true)
            two = try party(place.shown, .file(OpenFile(try container.documents.descriptor.open(place.shown, .read))), at: place)
        case "exchange-kinds":
            guard let text = TextBundles.kinds.named("text") else { throw Errno.invalid }
            two = try party(Name("Text.stedoc"), .document(text), at: try address("Text.txt", plain: true))
        default: two = try party(Name("Sub"), .other, at: try address("Sub", plain: true))
        }
        try workshop.commit(.exchange(one, two))
    }

    private func act() throws {
        if operation == "recover" {
            (container, workshop) = (nil, nil)
            try open()
            (container, workshop) = (nil, nil)
            return
        }
        guard let container, let workshop, let cat else { throw Errno.invalid }
        switch operation {
        case "create":
            let place = try address("New")
            let draft = try newDraft(place)
            try fill(draft)
            try workshop.commit(.save(draft, at: place, over: nil, durably: true))
        case "save", "edit":
            let place = try address("Cat")
            if draft == nil {
                let opened = try container.reader.open(cat, as: kind, in: container.documents.descriptor)
                draft = try workshop.draft(of: opened, at: place, stored: cat, keepingContent: operation == "edit")
            }
            guard let draft else { throw Errno.invalid }
            // Of an image, with its end.
            let more = Array("more".utf8) + (kindName == "photo" ? content.suffix(12) : [])
            if operation == "edit", kindName != "bookmark" { try fill(draft, with: more, at: 40) } else { try fill(draft) }
            if operation == "edit" { try draft.truncate(to: kindName != "bookmark" ? 40 + Int64(more.count) : Int64(content.count)) }
            written = CallFaults_count()
            try workshop.commit(.save(draft, at: place, over: .stored(cat)))
        case "replace", "adopt":
            let place = try address(operation == "replace" ? "Cat" : "New"), base = operation == "replace" ? Base.stored(cat) : nil
            guard let name = Name("fresh.\(kindName)") else { throw Errno.invalid }
            let plain = try container.documents.descriptor.open(name, .read)
            let draft = try workshop.draft(kind, ofContent: plain)
            do { try workshop.commit(.save(draft, at: place, over: base, removing: [([], name)])) } catch {
                workshop.discard(draft)
                throw error
            }
        case "rename": try workshop.commit(.rename(cat, kind, from: try address("Cat"), to: try address("Wolf")))
        case "move": try workshop.commit(.rename(cat, kind, from: try address("Cat"), to: try address("Cat", in: "Sub")))
        case "move-copied":
            var copies: [Name] = [], entries = try FolderReader(container.documents.descriptor)
            while let entry = try entries.next() { if Container.copiedItem(by: entry.name) == cat { copies.append(entry.name) } }
            try workshop.commit(.rename(cat, kind, from: try address("Cat"), to: try address("Cat", in: "Sub"), copies: copies))
        case "rename-over":
            let replaced = dog.map { ReplacedDocument(stored: $0, kind: kind) }
            if let away = try workshop.commit(.rename(cat, kind, from: try address("Cat"), to: try address("Dog"), replacing: replaced)).replaced { try workshop.commit(.drop(away)) }
        case "create-long":
            let place = try address(Self.other)
            let draft = try newDraft(place)
            try fill(draft)
            try workshop.commit(.save(draft, at: place, over: nil, durably: true))
        case "rename-long": try workshop.commit(.rename(cat, kind, from: try address("Cat"), to: try address(Self.other)))
        case "rename-over-long":
            let replaced = try long(container).map { ReplacedDocument(stored: $0, kind: kind) }
            if let away = try workshop.commit(.rename(cat, kind, from: try address("Cat"), to: try address(Self.long), replacing: replaced)).replaced { try workshop.commit(.drop(away)) }
        case "rename-longer", "shorten":
            guard let long = try long(container) else { throw Errno.invalid }
            let new = try address(operation == "shorten" ? "Wolf" : Self.other)
            try workshop.commit(.rename(long, kind, from: try address(Self.long), to: new))
        case "delete-long":
            guard let long = try long(container) else { throw Errno.invalid }
            try workshop.commit(.drop(try putAway(long, from: try address(Self.long))))
        case "plain-long":
            guard let long = try long(container) else { throw Errno.invalid }
            let opened = try container.reader.open(long, as: kind, in: container.documents.descriptor), out = try address("Long.orig", plain: true)
            if let away = try workshop.commit(.turnPlain(opened, long, from: try address(Self.long), to: out, as: out.shown)).away { try workshop.commit(.drop(away)) }
        case "move-folder-long":
            let (from, to) = (try address("Sub", plain: true), try address("Moved", plain: true))
            try workshop.commit(.move(from.shown, from: from, to: to, as: to.shown))
        case "exchange-long", "exchange-folder-long":
            let one = try party(try long(container), .document(kind), at: try address(Self.long))
            let two = operation == "exchange-long"
                ? try party(cat, .document(kind), at: try address("Cat")) : try party(Name("Sub"), .other, at: try address("Sub", plain: true))
            try workshop.commit(.exchange(one, two))
        case "delete": try workshop.commit(.drop(try putAway(cat, from: try address("Cat"))))
        case "keep":
            let away = try self.away ?? putAway(cat, from: try address("Cat"))
            self.away = away
            try workshop.commit(.moveToDeleted(away))
        case "keep-over":
            let replaced = dog.map { ReplacedDocument(stored: $0, kind: kind) }
            if let away = try workshop.commit(.rename(cat, kind, from: try address("Cat"), to: try address("Dog"), replacing: replaced)).replaced { try workshop.commit(.moveToDeleted(away)) }
        case "keep-plain":
            let notes = try address("notes.md", plain: true)
            if try workshop.commit(.takeAway(plain: notes.shown, from: notes)).deleted == nil { try notes.folder.descriptor.unlink(notes.shown) }
        case "keep-plain-over":
            let notes = try address("notes.md", plain: true), fresh = try address("fresh.\(kindName)", plain: true)
            let held = try workshop.commit(.hold(plain: notes.shown, in: notes)).deleted
            do throws(SaveFault) { try workshop.commit(.move(fresh.shown, from: fresh, to: notes, as: notes.shown, plain: held.map { .deleted($0) } ?? .gone)) } catch {
                if let held { _ = try? workshop.commit(.purge(held)) }
                throw error
            }
        case "keep-version":
            let notes = try address("notes.md", plain: true)
            try workshop.commit(.keep(plain: notes.shown, at: notes))
        case "keep-version-over":
            let notes = try address("notes.md", plain: true), fresh = try address("fresh.\(kindName)", plain: true)
            try workshop.commit(.move(fresh.shown, from: fresh, to: notes, as: notes.shown, plain: .version(goesOn: false)))
        case "undelete":
            guard let item = workshop.deletedItems.first else { throw Errno.noSuchEntry }
            try workshop.commit(.bringBack(item, to: container.documents, at: item.path, as: item.stored, shown: item.shown))
        case "rejoin", "rejoin-new":
            let again = Name(constant: "again"), place = try address("Cat")
            if try operation == "rejoin-new" && container.documents.descriptor.exists(again) {
                let draft = try workshop.draft(kind, ofContent: container.documents.descriptor.open(again, .read))
                do { try workshop.commit(.save(draft, at: place, over: nil, removing: [([], again)])) } catch {
                    workshop.discard(draft)
                    throw error
                }
            }
            guard let item = workshop.deletedItems.first else { return }
            if try workshop.commit(.rejoin(item, in: container.documents, showing: place.shown)).isUnchanged { throw Errno.invalid }
        case "rename-waiting":
            guard let dog else { throw Errno.invalid }
            try workshop.commit(.rename(dog, kind, from: try address("Dog"), to: try address("Cat")))
        case "move-waiting":
            let (from, to) = (try address("Sub", plain: true), try address("Moved", plain: true))
            try workshop.commit(.move(from.shown, from: from, to: to, as: to.shown))
        case "recall":
            let place = try address("Wolf"), name = Name(constant: "Cat.orig")
            let plain = try container.documents.descriptor.open(name, .read)
            guard let item = try workshop.formerDocument(of: plain), let away = try workshop.commit(.recall(item, for: place)).away else { throw Errno.noSuchEntry }
            var draft: Draft?
            do {
                let new = try workshop.draft(kind, ofContent: plain)
                draft = new
                try workshop.commit(.save(new, at: place, over: .away(away), removing: [([], name)]))
            } catch {
                if let draft { workshop.discard(draft) }
                _ = try? workshop.commit(.moveToDeleted(away))
                throw error
            }
        case "purge": if let item = workshop.deletedItems.first { try workshop.commit(.purge(item)) }
        case "plain":
            let opened = try container.reader.open(cat, as: kind, in: container.documents.descriptor)
            let out = try address("Cat.orig", plain: true)
            if let away = try workshop.commit(.turnPlain(opened, cat, from: try address("Cat"), to: out, as: out.shown)).away { try workshop.commit(.drop(away)) }
        case "restore":
            let place = try address("Cat")
            let away = try self.away ?? putAway(cat, from: place)
            self.away = away
            let draft = try newDraft(place, base: .away(away))
            try fill(draft)
            try workshop.commit(.save(draft, at: place, over: .away(away)))
        case "put-back":
            let place = try address("Cat")
            let away = try self.away ?? putAway(cat, from: place)
            self.away = away
            let draft = try newDraft(place, base: .away(away))
            try fill(draft, with: [0xFF, 0xFE, 0x00, 0xFF])
            try workshop.commit(.putBack(away, at: place, with: draft))
        case "put-back-moved":
            let place = try address("Cat"), fresh = try address("fresh.\(kindName)", plain: true)
            let away = try self.away ?? putAway(cat, from: place)
            self.away = away
            let draft = try workshop.draft(kind, ofContent: try container.documents.descriptor.open(fresh.shown, .read))
            written = CallFaults_count()
            do { try workshop.commit(.putBack(away, at: place, with: draft, removing: ([], fresh.shown))) } catch {
                if workshop.isThere(away) { workshop.discard(draft) }
                throw error
            }
        case "release":
            let place = try address("New")
            let draft = try newDraft(place)
            try fill(draft, with: [0xFF, 0xFE, 0x00, 0xFF])
            try workshop.commit(.release(draft, asPlain: place.shown, at: place))
        case "save-large":
            guard let draft else { throw Errno.invalid }
            try workshop.commit(.save(draft, at: try address("New"), over: nil))
        case "exchange", "exchange-move", "exchange-plain", "exchange-folder", "exchange-kinds": try exchange(container, workshop)
        case "rename-draft":
            try workshop.commit(.rename(cat, kind, from: try address("Cat"), to: try address("Wolf"), draft: draft))
        case "move-folder":
            let sub = try address("Sub", plain: true), moved = try address("Moved", plain: true)
            try workshop.commit(.move(sub.shown, from: sub, to: moved, as: moved.shown))
        case "rename-unborn":
            guard let draft, let dog else { throw Errno.invalid }
            let place = DraftPlace(draft: draft, address: try address("Dog"), base: .stored(dog))
            try workshop.commit(.renameDraft(place, replacing: ReplacedDocument(stored: dog, kind: kind, draft: other)))
        case "plain-over":
            let fresh = try address("fresh.\(kindName)", plain: true), place = try address("Cat")
            let away = try workshop.commit(.move(
                fresh.shown, from: fresh, to: place, as: place.shown, replacing: ReplacedDocument(stored: cat, kind: kind))).replaced
            if let away { try workshop.commit(.drop(away)) }
        case "release-over":
            guard let draft, let dog else { throw Errno.invalid }
            let outdated = OutdatedDocument(
                stored: cat, at: try address("Cat"), replacing: ReplacedDocument(stored: dog, kind: kind), removing: nil)
            let outcome = try workshop.commit(.release(draft, asPlain: try address("out.dat", plain: true).shown, at: try address("out.dat", plain: true), over: outdated))
            for item in [outcome.away, outcome.replaced] { if let item { try workshop.commit(.drop(item)) } }
        case "clash", "clash-lost":
            let place = try address("Cat")
            if draft == nil {
                // Somebody else changed Cat: it is not what this one began from.
                let opened = try container.reader.open(cat, as: kind, in: container.documents.descriptor)
                var began = opened.content
                began.modified = Timestamp(seconds: 1_000_000_000)
                draft = try workshop.draft(of: opened, at: place, stored: cat, keepingContent: false, from: BaseStamp(began))
            }
            guard let draft else { throw Errno.invalid }
            try fill(draft)
            if operation == "clash-lost" { try draft.setTimes(accessed: nil, modified: .at(Timestamp(seconds: 1_000_000_000))) }
            written = CallFaults_count()
            try workshop.commit(.save(draft, at: place, over: .stored(cat)))
        case "restore-version":
            guard let once = VersionID("2020-01-01T00-00-00.000000Z") else { throw Errno.invalid }
            try workshop.commit(.decide(.restore(once), on: place(cat), shown: try address("Cat").shown))
        case "resolve": try workshop.commit(.decide(.resolve(.current), on: place(cat), shown: try address("Cat").shown))
        case "resolve-both": try workshop.commit(.decide(.resolve(.both), on: place(cat), shown: try address("Cat").shown))
        case "hand-over", "hand-over-clash", "hand-over-new": try saveHandedOver(container, workshop, cat)
        case "grow", "grow-over", "grow-equal", "grow-copy": try grow(workshop, cat)
        case "place-many", "take-back": try doWithMany(workshop)
        case _ where operation.hasPrefix("remote"): try adopt(container, workshop, cat)
        case "thin": try workshop.commit(.thin)
        default: throw Errno.invalid
        }
        if !isWaiting { draft = nil }
    }
}
