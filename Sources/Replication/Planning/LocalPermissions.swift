/// The permissions of a file here beside those that all have.
struct LocalPermissions {
    private let synced: Synced
    private let here: UInt16
    private let said: UInt16?
    private let rules: Rules

    /// Nil: it has none, or its store has none.
    init?(_ synced: Synced, _ entry: LocalEntry, _ place: Location?, _ rules: Rules) {
        guard entry.kind != .folder, entry.kind != .link, let mode = entry.mode, let place else { return nil }
        (self.synced, self.rules) = (synced, rules)
        here = rules.contains(.onlyPermissionsAreSaid) ? mode & Location.permissionBits : mode
        said = place.permissions
    }

    private var last: Synced.Permissions? { synced.permissions }

    /// Those that somebody gave it here, and that are to be said.
    var given: UInt16? {
        // Of what was never brought together what all have counts.
        guard let last else { return said == nil && here != 0 ? here : nil }
        return here == last.here || here == said || here == 0 || isAnswered ? nil : here
    }

    /// This device was about to set those that all have: what is found is what its store made of them, perhaps, and
    /// they are set once more.
    private var isAnswered: Bool { rules.contains(.answeredModesStay) && last?.setting != nil && last?.setting == said }

    /// What is to be written down, because it is what all have.
    var found: Synced.Permissions? {
        guard let last, here != last.here, here == said else { return nil }
        return Synced.Permissions(here: here, said: here)
    }

    /// Those that all have, and that were not set here yet.
    var toSet: UInt16? {
        guard let said else { return nil }
        return said == (rules.contains(.answeredModesStay) ? last?.said : last?.here) ? nil : said
    }

    /// Before they are set.
    var noted: Synced.Permissions? {
        guard let toSet, last?.setting != toSet else { return nil }
        return Synced.Permissions(here: here, said: last?.said, setting: toSet)
    }
}
