import Documents

/// How a drive sees what other programs change in its container.
public enum SeeingChanges: String, CaseIterable, Sendable {
    case watch, poll, off
}

/// What `-o` asks of a mount.
public struct MountOptions: Equatable, Sendable {
    public var readOnly = false
    public var linkForm = LinkForm.url
    public var packages = ShownPackages.kind
    /// The kinds that new files become; nil to let the container decide.
    public var kinds: [String]?
    public var changes = SeeingChanges.watch
    public var versions = KeptVersions.share(percent: 10)
    /// What programs change in plain files is kept, too.
    public var keepsFiles = true
    /// For how many days what was deleted is kept; nil for not at all.
    public var deletedDays: Int? = 30
    public var owner: UInt32?
    public var group: UInt32?
    public var umask: UInt32?
    public var source: String?
    public var threads: Int?
    public var allowsOthers = false
    /// The process that serves the drive becomes the user whose the container is.
    public var isServedAsOwner = false
    public var accessLists = false
    public var allowsNonempty = false
    /// The process that serves the drive gives up the rights that it does not need.
    public var isSandboxed = true
    /// A container that is not there is no error: mount(8) leaves this to its helpers.
    public var mayBeMissing = false
    /// The file for what the drive has to say.
    public var log: String?
    /// The key-value store, or its folder, where it is not the container's.
    public var keyValues: String?
    public var kernelOptions: [String] = []

    public init() {}

    /// Understands the values of all `-o`, in order: the later ones win. `skipsUnknown` as mount(8)'s `-s` asks for it. By mount(8) some
    /// releases hand on what “owner” says to themselves, and others do not.
    public init(_ values: [String], skipsUnknown: Bool = false, isCalledByMount: Bool = false) throws(UsageFault) {
        var mayContinueKinds = false
        for text in values.flatMap({ Self.split($0) }) {
            // "create=bookmark,photo" without an escape: the comma parts a list of kinds.
            if mayContinueKinds, DocumentKindWords.all.contains(text) {
                kinds = try DocumentKindWords.merge(text, into: kinds, exitCode: 1)
                continue
            }
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts.first ?? "")
            if isCalledByMount, ["owner", "noowner"].contains(text) { continue }
            if !skipsUnknown || MountOption.named(name) != nil { try add(name, parts.count == 2 ? String(parts[1]) : nil) }
            mayContinueKinds = name == "create"
        }
    }

    /// The options between commas. A comma after a backslash or between quotation marks belongs to the option,
    /// as with libfuse and with libmount.
    static func split(_ text: String) -> [String] {
        var options = [""]
        var escaped = false, quoted = false
        for character in text {
            switch (escaped, character) {
            case (true, _):
                options[options.count - 1] += ",\\\"".contains(character) ? "\(character)" : "\\\(character)"
                escaped = false
            case (false, "\\"): escaped = true
            case (false, "\""): quoted.toggle()
            case (false, ",") where !quoted: options.append("")
            case (false, _): options[options.count - 1].append(character)
            }
        }
        if escaped { options[options.count - 1] += "\\" }
        return options.filter { !$0.isEmpty }
    }

    private mutating func add(_ name: String, _ value: String?) throws(UsageFault) {
        if MountOption.isForeign(name, hasValue: value != nil) { return }
        if name == "remount" {
            throw UsageFault("a drive cannot be remounted; to change its options, unmount it and mount it again", exitCode: 32)
        }
        if name == "strictatime" {
            throw Self.fault("what programs read from the kernel's memory is no access, so that “strictatime” would promise too much; leave it out")
        }
        guard let option = MountOption.named(name) else {
            throw Self.fault("“\(printable(name))” is not a mount option" + mend(name, MountOption.names, list: "valise help mount"))
        }
        guard let placeholder = option.value else {
            if value != nil { throw Self.fault("the mount option “\(name)” takes no value") }
            return set(option)
        }
        guard let value, !value.isEmpty else { throw Self.fault("the mount option “\(name)” needs a value: \(name)=\(placeholder)") }
        try set(option, to: value)
    }

    private mutating func set(_ option: MountOption) {
        switch option.meaning {
        case .readOnly: readOnly = true
        case .readWrite: readOnly = false
        case .others: allowsOthers = true
        case .accessLists: accessLists = true
        case .nonempty: allowsNonempty = true
        case .mayBeMissing: mayBeMissing = true
        case .unsealed: isSandboxed = false
        case .asOwner: isServedAsOwner = true
        case .notAsOwner: isServedAsOwner = false
        case .kernel: kernelOptions.append(option.name)
        case .nothing, .link, .packages, .create, .changes, .owner, .group, .umask, .source, .threads, .versions, .files, .deleted, .log, .keyValues, .servedAs: break
        }
    }

    private mutating func set(_ option: MountOption, to value: String) throws(UsageFault) {
        switch option.meaning {
        case .link:
            guard let form = LinkForm(rawValue: value) else {
                throw Self.fault("“\(printable(value))” is no form of a link: link=" + LinkForm.allCases.map(\.rawValue).joined(separator: ", link="))
            }
            linkForm = form
        case .packages:
            guard let shown = ShownPackages(rawValue: value) else {
                let ways = ShownPackages.allCases.map { "packages=\($0.rawValue)" }.joined(separator: ", ")
                throw Self.fault("“\(printable(value))” is no way to show packages: \(ways)")
            }
            packages = shown
        case .create: kinds = try DocumentKindWords.merge(value, into: kinds, exitCode: 1)
        case .changes:
            guard let how = SeeingChanges(rawValue: value) else {
                throw Self.fault("“\(printable(value))” is no way to see changes: changes=" + SeeingChanges.allCases.map(\.rawValue).joined(separator: ", changes="))
            }
            changes = how
        case .owner: owner = try Self.number(option, value)
        case .group: group = try Self.number(option, value)
        case .umask:
            guard let bits = UInt32(value, radix: 8), bits <= 0o777 else { throw Self.fault("“umask=\(printable(value))” is not an octal number up to 777") }
            umask = bits
        case .source: source = value
        case .log: log = try Self.path(option, value)
        case .keyValues: keyValues = try Self.path(option, value)
        case .servedAs:
            guard value == "owner" else { throw Self.fault("“as=\(printable(value))” is not understood: as=owner") }
            isServedAsOwner = true
        case .threads:
            guard let count = Int(value), (1...1024).contains(count) else { throw Self.fault("“threads=\(printable(value))” is not a number from 1 to 1024") }
            threads = count
        case .versions:
            guard let kept = KeptVersions(value) else {
                throw Self.fault("“versions=\(printable(value))” is not understood: versions=off, versions=all, or a share of the container's size as versions=10%")
            }
            versions = kept
        case .files:
            guard ["versions", "off"].contains(value) else { throw Self.fault("“files=\(printable(value))” is not understood: files=versions, or files=off") }
            keepsFiles = value == "versions"
        case .deleted:
            let days = Int(value)
            guard value == "off" || days.map({ (1...36_500).contains($0) }) == true else {
                throw Self.fault("“deleted=\(printable(value))” is not understood: deleted=off, or a number of days as deleted=30")
            }
            deletedDays = days
        case .readOnly, .readWrite, .others, .accessLists, .nonempty, .mayBeMissing, .unsealed, .asOwner, .notAsOwner, .kernel, .nothing: break
        }
    }

    private static func number(_ option: MountOption, _ value: String) throws(UsageFault) -> UInt32 {
        // The highest number means "nobody in particular" to the kernel.
        guard let number = UInt32(value), number < UInt32.max else {
            throw fault("“\(option.name)=\(printable(value))” is not a number: “id” prints those of a user")
        }
        return number
    }

    private static func path(_ option: MountOption, _ value: String) throws(UsageFault) -> String {
        guard value.hasPrefix("/") else { throw fault("“\(option.name)=\(printable(value))” is not understood: the path is to begin with “/”") }
        return value
    }

    private static func fault(_ sentence: String) -> UsageFault { UsageFault(sentence, exitCode: 1) }
}

/// How much of what saves replace is kept.
public enum KeptVersions: Equatable, Sendable {
    case off, all
    case share(percent: Int)

    init?(_ word: String) {
        switch word {
        case "off": self = .off
        case "all": self = .all
        default:
            guard word.hasSuffix("%"), let percent = Int(word.dropLast()), (1...100).contains(percent) else { return nil }
            self = .share(percent: percent)
        }
    }
}
