import Containers
import LinuxFiles

/// What another computer says of an item, by who has claimed it for writing.
public struct ClaimAdoption: Hashable, Sendable {
    public enum What: Hashable, Sendable {
        /// What lies in `.valise/handed` under this name is what the item is, or an earlier version of it, or the other
        /// side of a conflict.
        case current(Name), version(Name), conflict(Name)
        case permissions(UInt32)
        case gone
        /// It is where the claim's other item was to be: nothing is there.
        case moved
        /// It and the claim's other item have each other's place.
        case exchanged
    }

    public let what: What
    /// What has to be there, and, of two that change places, what the other one has to be.
    public let expected, other: Adoption.Expectation
    public let provenance: Provenance

    public init(
        _ what: What, expecting expected: Adoption.Expectation, other: Adoption.Expectation = .anything,
        from provenance: Provenance
    ) {
        (self.what, self.expected, self.other, self.provenance) = (what, expected, other, provenance)
    }

    /// Whether it is about both items of its claim.
    var isAboutBoth: Bool { what == .moved || what == .exchanged }

    /// Of these items.
    func adoption(of item: ItemPath, _ second: ItemPath?) -> Adoption? {
        let what: Adoption.What
        switch self.what {
        case .current(let name): what = .current(name)
        case .version(let name): what = .version(name, isConflict: false)
        case .conflict(let name): what = .version(name, isConflict: true)
        case .permissions(let mode): what = .permissions(mode)
        case .gone: what = .gone
        case .moved:
            guard let second else { return nil }
            what = .moved(to: second.names)
        case .exchanged:
            guard let second else { return nil }
            what = .exchanged(with: second.names, expecting: other)
        }
        return Adoption(what, of: item.names, expecting: expected, from: provenance)
    }

    /// What those hear who present the item; nil of what they hear at the claim's end.
    var event: PresenterEvent.Kind? {
        switch what {
        case .version: .gainedVersion
        case .conflict: .gainedConflict
        case .current, .permissions, .gone, .moved, .exchanged: nil
        }
    }
}

extension ClaimAdoption.What {
    fileprivate var number: UInt8 {
        switch self {
        case .current: 0
        case .version: 1
        case .conflict: 2
        case .permissions: 3
        case .gone: 4
        case .moved: 5
        case .exchanged: 6
        }
    }

    fileprivate var handed: Name? {
        switch self {
        case .current(let name), .version(let name), .conflict(let name): name
        case .permissions, .gone, .moved, .exchanged: nil
        }
    }

    fileprivate init?(_ number: UInt8, handed: Name?, permissions: UInt32) {
        // What one does not need is empty.
        guard (number > 2) == (handed == nil), number == 3 ? permissions <= 0o7777 : permissions == 0 else {
            return nil
        }
        switch (number, handed) {
        case (0, let name?): self = .current(name)
        case (1, let name?): self = .version(name)
        case (2, let name?): self = .conflict(name)
        case (3, nil): self = .permissions(permissions)
        case (4, nil): self = .gone
        case (5, nil): self = .moved
        case (6, nil): self = .exchanged
        default: return nil
        }
    }
}

// In message 16, behind the claim's number and that of its item: what, the name and the permissions, both expectations,
// and where the content was saved.
extension MessageBytes {
    mutating func add(_ adoption: ClaimAdoption) {
        add(adoption.what.number)
        add(text: adoption.what.handed?.bytes ?? [])
        let permissions: UInt32 = if case .permissions(let mode) = adoption.what { mode } else { 0 }
        add(permissions)
        for expected in [adoption.expected, adoption.other] { add(text: Array(expected.text.utf8)) }
        add(adoption.provenance.moment.seconds)
        add(UInt32(bitPattern: adoption.provenance.moment.nanoseconds))
        for text in [adoption.provenance.mark, adoption.provenance.computer] { add(text: Array(text.utf8)) }
    }
}

extension MessageFields {
    mutating func adoption() -> ClaimAdoption? {
        guard let which = byte(), let handed = text(), let permissions = number() as UInt32?,
            let what = ClaimAdoption.What(which, handed: Name(handed), permissions: permissions),
            handed.isEmpty || what.handed != nil,
            let expected = expectation(), let other = expectation(), let seconds = number() as Int64?,
            let nanoseconds = number() as UInt32?,
            nanoseconds < 1_000_000_000, let mark = string(), let computer = string(),
            computer.utf8.count <= Self.longestComputer,
            mark.utf8.count <= Self.longestMark
        else { return nil }
        let moment = Timestamp(seconds: seconds, nanoseconds: Int32(nanoseconds))
        return ClaimAdoption(
            what, expecting: expected, other: other, from: Provenance(moment, mark: mark, computer: computer))
    }

    private static let longestComputer = 1024, longestMark = 64

    private mutating func expectation() -> Adoption.Expectation? { string().flatMap { Adoption.Expectation(text: $0) } }
    private mutating func string() -> String? { text().flatMap { String(validating: $0, as: UTF8.self) } }
}

// Of an item that is claimed: for a device, and in the one process that writes in the container.
extension CoordinatedItem {
    /// What the item is now, to be known again. Nil where nothing is there.
    public func state() throws(Failure) -> ItemState? {
        do throws(Errno) { return try container.state(at: path.names) } catch {
            throw Failure(error, "“\(path)” cannot be looked at: \(error)", cause: error)
        }
    }

    /// Does with the item what another computer says. For blocks that write; with two items, of which both are claimed
    /// for moving, where it moves to the other one's place or changes places with it. Where something else is there
    /// than that computer's device expected, nothing is done (EAGAIN).
    public func adopt(_ adoption: ClaimAdoption) throws(Failure) -> Adopted {
        guard let held, held.items[index].purpose.isWriting else {
            throw Failure(.badDescriptor, "“\(path)” is not claimed for writing")
        }
        do throws(Failure) { return try held.adopt(item: index, adoption) } catch {
            throw Failure(error.errno, "“\(path)” stays as it is: \(error.sentence)", cause: error.cause)
        }
    }
}
