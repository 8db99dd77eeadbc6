import CallFaults
import Containers
import Documents
import LinuxFiles

/// One operation on a container, as the drive would ask for it. It can be asked for again after it failed.
final class Trial {
    private let path: String, operation: String, kindName: String, contentPath: String
    private var container: Container?, workshop: Workshop?
    private var kind = KindID(rawValue: 0)
    private var content: [UInt8] = []
    private var cat: Name?, dog: Name?
    private var draft: Draft?, away: AwayItem?
    /// How many calls it took until the content was in the draft: before that, nothing has to be there after a crash.
    private(set) var written = 0

    init(container: String, operation: String, kind: String, content: String) {
        (path, self.operation, kindName, contentPath) = (container, operation, kind, content)
    }

    var heldDescriptors: Int { draft == nil ? 0 : 1 }

    func prepare() -> Int32 {
        guarded {
            kind = KindID.all.first { $0.kind.name == kindName } ?? kind
            content = try Descriptor.atPath(contentPath, .read).readAll(limit: 1 << 24)
            guard operation != "recover" else { return }
            try open()
            guard let container else { return }
            (cat, dog) = (try stored("Cat", container), try stored("Dog", container))
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
        let container = try Container.open(path, access: .readWrite)
        let workshop = try Workshop.open(in: container, purpose: "on trial")
        _ = try workshop.recover()
        (self.container, self.workshop) = (container, workshop)
    }

    private func stored(_ stem: String, _ container: Container) throws -> Name? {
        var entries = try FolderReader(container.documents.descriptor)
        while let entry = try entries.next() {
            let item = try container.reader.read(entry.name, type: entry.type, in: container.documents.descriptor)
            guard let document = item.document, document.kind == kind, document.naturalName.bytes.starts(with: Array((stem + ".").utf8)) else { continue }
            container.note(document.reading, of: kind)
            return entry.name
        }
        return nil
    }

    private var suffix: String { ["bookmark": ".url", "photo": ".png", "text": ".txt"][kindName] ?? "" }

    private func address(_ stem: String, plain: Bool = false, in folder: String? = nil) throws -> Address {
        guard let container, let shown = Name(stem + (plain ? "" : suffix)) else { throw Errno.invalid }
        guard let folder, let name = Name(folder) else { return Address(folder: container.documents, path: [], shown: shown) }
        return Address(folder: OpenFile(try container.documents.descriptor.open(name, [.path, .folder])), path: [name], shown: shown)
    }

    private func fill(_ draft: Draft, with bytes: [UInt8]? = nil, at offset: Int64 = 0) throws {
        try draft.file.descriptor.write(bytes ?? content, at: draft.room + offset)
        draft.touch()
        written = CallFaults_count()
    }

    private func newDraft(_ address: Address, base: Base? = nil) throws -> Draft {
        guard let workshop else { throw Errno.invalid }
        let draft = try self.draft ?? workshop.newDraft(kind, at: address, mode: 0o640, base: base)
        self.draft = draft
        return draft
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
            _ = try workshop.save(draft, at: place, over: nil, durably: true)
        case "save", "edit":
            let place = try address("Cat")
            if draft == nil {
                let opened = try container.reader.open(cat, as: kind, in: container.documents.descriptor)
                draft = try workshop.draft(of: opened, at: place, stored: cat, keepingContent: operation == "edit")
            }
            guard let draft else { throw Errno.invalid }
            if operation == "edit", kindName != "bookmark" { try fill(draft, with: Array("more".utf8), at: 40) } else { try fill(draft) }
            if operation == "edit" { try draft.truncate(to: kindName != "bookmark" ? 44 : Int64(content.count)) }
            written = CallFaults_count()
            _ = try workshop.save(draft, at: place, over: .stored(cat))
        case "replace", "adopt":
            let place = try address(operation == "replace" ? "Cat" : "New"), base = operation == "replace" ? Base.stored(cat) : nil
            guard let name = Name("fresh.\(kindName)") else { throw Errno.invalid }
            let plain = try container.documents.descriptor.open(name, .read)
            let draft = try workshop.draft(kind, ofContent: plain)
            do { _ = try workshop.save(draft, at: place, over: base, removing: [([], name)]) } catch {
                workshop.discard(draft)
                throw error
            }
        case "rename": _ = try workshop.rename(cat, kind, from: try address("Cat"), to: try address("Wolf"), replacing: nil)
        case "move": _ = try workshop.rename(cat, kind, from: try address("Cat"), to: try address("Cat", in: "Sub"), replacing: nil)
        case "rename-over":
            let replaced = dog.map { Workshop.Replaced(stored: $0, kind: kind) }
            if let away = try workshop.rename(cat, kind, from: try address("Cat"), to: try address("Dog"), replacing: replaced).away { workshop.drop(away) }
        case "delete": workshop.drop(try workshop.putAway(cat, kind, from: try address("Cat")))
        case "plain":
            let opened = try container.reader.open(cat, as: kind, in: container.documents.descriptor)
            workshop.drop(try workshop.turnPlain(opened, cat, from: try address("Cat"), to: try address("Cat.orig", plain: true), replacing: nil).0)
        case "restore":
            let place = try address("Cat")
            let away = try self.away ?? workshop.putAway(cat, kind, from: place)
            self.away = away
            let draft = try newDraft(place, base: .away(away))
            try fill(draft)
            _ = try workshop.save(draft, at: place, over: .away(away))
        case "release":
            let place = try address("New")
            let draft = try newDraft(place)
            try fill(draft, with: [0xFF, 0xFE, 0x00, 0xFF])
            try workshop.release(draft, asPlain: place.shown, at: place)
        default: throw Errno.invalid
        }
        draft = nil
    }
}
