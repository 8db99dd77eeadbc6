import Containers
import LinuxFiles

// The protocol, as docs/COORDINATION.md tells it. Every message is a u32 with the length of what follows, a byte that says
// which it is, and its fields. Numbers are little-endian.

enum CoordinationProtocol {
    static let magic: UInt32 = 0x4356_4C41, version: UInt16 = 8
    /// Since when claims go on at whoever serves next.
    static let resuming: UInt16 = 4
    /// Since when a search can go on.
    static let liveSearching: UInt16 = 5
    /// Since when it is said where an item is that was moved out of the container.
    static let leaving: UInt16 = 6
    /// Since when it is said which programs have what a claim waits for, so many of them at the most.
    static let naming: UInt16 = 7, mostHolders = 8
    /// Since when what another computer says of an item can be done.
    static let adopting: UInt16 = 8
    /// Two paths, and some room. A longer message ends the connection.
    static let longest = 2 * ItemPath.longest + 64
    /// An item and its purpose; of a move, both places.
    static let mostItems = 2
    /// What a save says that came to a conflict.
    static let conflict = "conflict"
}

/// What a client says.
enum CoordinationRequest: Equatable {
    case hello(version: UInt16)
    /// `throughDrive`: what is claimed is used through the drive, which then does not wait for it.
    /// `presenter`: it is made by whoever presents an item under this name, who is not asked for it.
    case claim(UInt32, [ClaimedItem], throughDrive: Bool, presenter: UInt64? = nil)
    /// A claim ends, or is not waited for any more.
    case release(UInt32)
    /// Whoever has a claim for moving moved its item.
    case moved(UInt32, from: ItemPath, to: ItemPath)
    /// Of a granted claim for writing: what is to become of the versions of its first item, or of its second.
    case decide(UInt32, item: UInt8, ClaimDecision)
    // These are of version 2.
    /// It has an item open, and is to be asked and told.
    case present(UInt32, name: UInt64, ItemPath)
    case withdraw(UInt32)
    /// To a question: what was to be saved is saved; or why not.
    case answer(question: UInt32, Errno?)
    case here
    /// It is about to mount the container: whoever serves without a drive is to let go of the lock, while the connection lasts.
    case yieldLock
    /// Of a granted claim for writing: what it has written beside the documents is to take its first item's place, or its second's.
    case save(UInt32, item: UInt8, StagedItem)

    /// Of version 3: what is looked for. The connection is the search's from then on.
    case search(SearchRequest)

    /// Of version 4: a claim that was granted by whoever served before, and goes on. The token is the one of `Claimants`.
    case resume(UInt64, UInt32, [ClaimedItem], throughDrive: Bool, presenter: UInt64?)

    /// Of version 6: whoever has a claim for moving moved its item, or one in it, out of the container, to this absolute path.
    case left(UInt32, from: ItemPath, to: String)

    /// Of version 7: which programs have what this claim waits for.
    case holders(UInt32)

    /// Of version 8: of a granted claim for writing, what another computer says of its first item, or of its second.
    case adopt(UInt32, item: UInt8, ClaimAdoption)

    /// The first version of the protocol that has it.
    var version: UInt16 {
        switch self {
        case .hello, .release, .moved, .decide: 1
        case .claim(_, _, _, let presenter): presenter == nil ? 1 : 2
        case .present, .withdraw, .answer, .here, .yieldLock, .save: 2
        case .search(let search): search.isLive ? CoordinationProtocol.liveSearching : 3
        case .resume: 4
        case .left: CoordinationProtocol.leaving
        case .holders: CoordinationProtocol.naming
        case .adopt: CoordinationProtocol.adopting
        }
    }
}

/// What the holder of the container says.
enum CoordinationAnswer: Equatable {
    case hello(version: UInt16)
    /// Where the items are now; empty where that is where they were asked for.
    case granted(UInt32, [ItemPath])
    case refused(UInt32, Errno, String)
    /// What was decided was done, or what was handed over saved; or why not. Of a save, the text says whether it came
    /// to a conflict, and of an adoption what came of it.
    case decided(UInt32, Errno?, String)
    // These are of version 2, and only for who presents something.
    case presented(UInt32, Errno?)
    /// Somebody waits for an item until the question is answered.
    case asked(UInt32, question: UInt32, ClaimedItem)
    /// Whoever waited then is done.
    case over(UInt32, question: UInt32)
    case event(UInt32, PresenterEvent.Kind, ItemPath, to: ItemPath?)
    case areYouThere
    /// Of version 6: it is at this absolute path, in no container or in another one.
    case left(UInt32, ItemPath, to: String)
    /// Of version 7: these processes have what the claim waits for.
    case held(UInt32, by: [Int32])

    /// As who speaks an older version is told it.
    func told(in version: UInt16) -> CoordinationAnswer {
        guard case .left(let id, let path, _) = self, version < CoordinationProtocol.leaving else { return self }
        return .event(id, .deleted, path, to: nil)
    }
}

extension CoordinationRequest {
    var bytes: [UInt8] {
        switch self {
        case .hello(let version): return MessageBytes.hello(version)
        case .claim(let id, let items, let throughDrive, let presenter):
            var message = MessageBytes(2)
            message.add(claim: id, items, throughDrive: throughDrive, presenter: presenter)
            return message.finished
        case .resume(let token, let id, let items, let throughDrive, let presenter):
            var message = MessageBytes(13)
            message.add(token)
            message.add(claim: id, items, throughDrive: throughDrive, presenter: presenter)
            return message.finished
        case .release(let id):
            var message = MessageBytes(3)
            message.add(id)
            return message.finished
        case .moved(let id, let from, let to):
            var message = MessageBytes(4)
            message.add(id)
            message.add(text: from.bytes)
            message.add(text: to.bytes)
            return message.finished
        case .left(let id, let from, let place):
            var message = MessageBytes(14)
            message.add(id)
            message.add(text: from.bytes)
            message.add(text: Array(place.utf8))
            return message.finished
        case .holders(let id):
            var message = MessageBytes(15)
            message.add(id)
            return message.finished
        case .adopt(let id, let item, let adoption):
            var message = MessageBytes(16)
            message.add(id)
            message.add(item)
            message.add(adoption)
            return message.finished
        case .decide(let id, let item, let decision):
            var message = MessageBytes(5)
            message.add(id)
            message.add(item)
            message.add(text: Array(decision.text.utf8))
            return message.finished
        case .present(let id, let name, let path):
            var message = MessageBytes(6)
            message.add(id)
            message.add(name)
            message.add(text: path.bytes)
            return message.finished
        case .withdraw(let id):
            var message = MessageBytes(7)
            message.add(id)
            return message.finished
        case .answer(let question, let errno):
            var message = MessageBytes(8)
            message.add(question)
            message.add(outcome: errno)
            return message.finished
        case .here: return MessageBytes(9).finished
        case .yieldLock: return MessageBytes(10).finished
        case .save(let id, let item, let staged):
            var message = MessageBytes(11)
            message.add(id)
            message.add(item)
            message.add(text: staged.name.bytes)
            message.add(text: Array((staged.base?.text ?? "").utf8))
            return message.finished
        case .search(let search):
            var message = MessageBytes(12)
            message.add(search.scopes | (search.isLive ? 4 : 0))
            message.add(search.limit)
            for text in [search.predicate, search.folder, search.sort] { message.add(text: text) }
            return message.finished
        }
    }

    init?(_ message: ArraySlice<UInt8>) {
        var fields = MessageFields(message)
        switch fields.byte() {
        case 1:
            guard let version = fields.hello() else { return nil }
            self = .hello(version: version)
        case 2:
            guard let claim = fields.claim() else { return nil }
            self = .claim(claim.id, claim.items, throughDrive: claim.throughDrive, presenter: claim.presenter)
        case 3:
            guard let id = fields.number() as UInt32? else { return nil }
            self = .release(id)
        case 4:
            guard let id = fields.number() as UInt32?, let from = fields.path(),
                let to = fields.path()
            else { return nil }
            self = .moved(id, from: from, to: to)
        case 5:
            guard let id = fields.number() as UInt32?, let item = fields.byte(), let text = fields.text(),
                let decision = ClaimDecision(text: String(decoding: text, as: UTF8.self))
            else { return nil }
            self = .decide(id, item: item, decision)
        case 6:
            guard let id = fields.number() as UInt32?, let name = fields.number() as UInt64?, let path = fields.path() else { return nil }
            self = .present(id, name: name, path)
        case 7:
            guard let id = fields.number() as UInt32? else { return nil }
            self = .withdraw(id)
        case 8:
            guard let question = fields.number() as UInt32?, let errno = fields.outcome() else { return nil }
            self = .answer(question: question, errno.fault)
        case 9: self = .here
        case 10: self = .yieldLock
        case 11:
            guard let id = fields.number() as UInt32?, let item = fields.byte(), let staged = fields.stagedItem() else { return nil }
            self = .save(id, item: item, staged)
        case 12:
            guard let scopes = fields.byte(), scopes < 8, let limit = fields.number() as UInt64?, let predicate = fields.text(), let folder = fields.text(), let sort = fields.text()
            else { return nil }
            self = .search(SearchRequest(predicate: Array(predicate), folder: Array(folder), scopes: scopes & 3, sort: Array(sort), limit: limit, isLive: scopes & 4 != 0))
        case 13:
            guard let token = fields.number() as UInt64?, let claim = fields.claim() else { return nil }
            self = .resume(token, claim.id, claim.items, throughDrive: claim.throughDrive, presenter: claim.presenter)
        case 14:
            guard let id = fields.number() as UInt32?, let from = fields.path(), let place = fields.place() else { return nil }
            self = .left(id, from: from, to: place)
        case 15:
            guard let id = fields.number() as UInt32? else { return nil }
            self = .holders(id)
        case 16:
            guard let id = fields.number() as UInt32?, let item = fields.byte(), let adoption = fields.adoption() else {
                return nil
            }
            self = .adopt(id, item: item, adoption)
        default: return nil
        }
        guard fields.isAtEnd else { return nil }
    }
}

extension CoordinationAnswer {
    var bytes: [UInt8] {
        switch self {
        case .hello(let version): return MessageBytes.hello(version)
        case .granted(let id, let paths):
            var message = MessageBytes(2)
            message.add(id)
            message.add(UInt8(paths.count))
            for path in paths { message.add(text: path.bytes) }
            return message.finished
        case .refused(let id, let errno, let sentence):
            var message = MessageBytes(3)
            message.add(id)
            message.add(UInt32(bitPattern: errno.rawValue))
            message.add(text: Array(sentence.utf8.prefix(1024)))
            return message.finished
        case .decided(let id, let errno, let sentence):
            var message = MessageBytes(4)
            message.add(id)
            message.add(outcome: errno)
            message.add(text: Array(sentence.utf8.prefix(1024)))
            return message.finished
        case .presented(let id, let errno):
            var message = MessageBytes(5)
            message.add(id)
            message.add(outcome: errno)
            return message.finished
        case .asked(let id, let question, let item):
            var message = MessageBytes(6)
            message.add(id)
            message.add(question)
            message.add(item.purpose.rawValue)
            message.add(text: item.path.bytes)
            return message.finished
        case .over(let id, let question):
            var message = MessageBytes(7)
            message.add(id)
            message.add(question)
            return message.finished
        case .event(let id, let event, let path, let new):
            var message = MessageBytes(8)
            message.add(id)
            message.add(event.rawValue)
            message.add(text: path.bytes)
            if let new { message.add(text: new.bytes) }
            return message.finished
        case .left(let id, let path, let place):
            var message = MessageBytes(8)
            message.add(id)
            message.add(Self.leftNumber)
            message.add(text: path.bytes)
            message.add(text: Array(place.utf8))
            return message.finished
        case .areYouThere: return MessageBytes(9).finished
        case .held(let id, let processes):
            var message = MessageBytes(16)
            message.add(id)
            message.add(UInt8(processes.count))
            for process in processes { message.add(UInt32(bitPattern: process)) }
            return message.finished
        }
    }

    init?(_ message: ArraySlice<UInt8>) {
        var fields = MessageFields(message)
        switch fields.byte() {
        case 1:
            guard let version = fields.hello() else { return nil }
            self = .hello(version: version)
        case 2:
            guard let id = fields.number() as UInt32?, let count = fields.byte(), count <= CoordinationProtocol.mostItems else { return nil }
            var paths: [ItemPath] = []
            for _ in 0..<count {
                guard let path = fields.path() else { return nil }
                paths.append(path)
            }
            self = .granted(id, paths)
        case 3:
            guard let id = fields.number() as UInt32?, let errno = fields.number() as UInt32?, let sentence = fields.text() else { return nil }
            self = .refused(id, Errno(rawValue: Int32(bitPattern: errno)), String(decoding: sentence, as: UTF8.self))
        case 4:
            guard let id = fields.number() as UInt32?, let errno = fields.outcome(), let sentence = fields.text() else { return nil }
            self = .decided(id, errno.fault, String(decoding: sentence, as: UTF8.self))
        case 5:
            guard let id = fields.number() as UInt32?, let errno = fields.outcome() else { return nil }
            self = .presented(id, errno.fault)
        case 6:
            guard let id = fields.number() as UInt32?, let question = fields.number() as UInt32?, let purpose = fields.byte().flatMap(ClaimPurpose.init),
                let path = fields.path()
            else { return nil }
            self = .asked(id, question: question, ClaimedItem(path, purpose))
        case 7:
            guard let id = fields.number() as UInt32?, let question = fields.number() as UInt32? else { return nil }
            self = .over(id, question: question)
        case 8:
            guard let id = fields.number() as UInt32?, let number = fields.byte(), let path = fields.path() else { return nil }
            if number == Self.leftNumber {
                guard let place = fields.place() else { return nil }
                self = .left(id, path, to: place)
                break
            }
            guard let event = PresenterEvent.Kind(rawValue: number) else { return nil }
            var new: ItemPath?
            if event == .moved {
                guard let path = fields.path() else { return nil }
                new = path
            }
            self = .event(id, event, path, to: new)
        case 9: self = .areYouThere
        // Those between are a search's.
        case 16:
            guard let id = fields.number() as UInt32?, let count = fields.byte(), count <= CoordinationProtocol.mostHolders else { return nil }
            var processes: [Int32] = []
            for _ in 0..<count {
                guard let process = fields.number() as UInt32? else { return nil }
                processes.append(Int32(bitPattern: process))
            }
            self = .held(id, by: processes)
        default: return nil
        }
        guard fields.isAtEnd else { return nil }
    }
}

extension CoordinationAnswer {
    /// Beside those of `PresenterEvent.Kind`.
    private static let leftNumber: UInt8 = 6
}
