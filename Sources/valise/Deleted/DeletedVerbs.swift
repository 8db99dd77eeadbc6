import Containers
import LinuxFiles
import Shell

/// `valise deleted`: what was deleted and is kept.
func deletedVerb(_ arguments: Arguments) throws(Stop) -> Int32 {
    let drives = try OwnDrives(
        arguments.operands.first, one: { (named) throws(Stop) in try DeletedPlace(named) },
        asking: { (mount) throws(Stop) in try DeletedPlace(drive: mount) })
    let since = try since(arguments)
    let found = drives.places.map { place in (place: place, items: place.found.filter { $0.when.seconds >= since }) }
    if arguments.has(.purge) { return try max(drives.code, purge(found.filter { !$0.items.isEmpty }, arguments)) }
    if arguments.has(.json) {
        printOut(JSONAnswer.line("deleted", found.flatMap { place, items in items.map { json($0, place) } }))
    } else if arguments.has(.quiet) {
        printOut(found.flatMap { $0.items.map { "\($0.number)\n" } }.joined())
    } else {
        for (place, items) in found where !items.isEmpty {
            let rows = items.map { item in
                DeletedTable.Row(
                    number: item.number, deleted: item.when.seconds, size: place.size(of: item), versions: place.versions(of: item),
                    path: place.shownPath(of: item), isCalledAsDocument: place.isCalledAsDocument(item),
                    isNameTaken: (try? place.container.isNameTaken(item)) ?? false)
            }
            printOut(printable(place.top) + "\n" + DeletedTable(rows, clock: .current).text)
        }
    }
    return drives.code
}

private func json(_ item: DeletedItem, _ place: DeletedPlace) -> JSON {
    .object([
        JSON.Member("number", .integer(Int64(clamping: item.number))), JSON.Member("path", .string("\(place.top)/\(place.shownPath(of: item))")),
        JSON.Member("container", .string(place.container.path)),
        JSON.Member("deleted", JSONAnswer.time(item.when.seconds, nanoseconds: item.when.nanoseconds)),
        JSON.Member("removal", JSONAnswer.time(item.removal.seconds, nanoseconds: item.removal.nanoseconds)),
        JSON.Member("kind", .string(item.kind.map { $0.kind.name } ?? "plain")),
        JSON.Member("size", place.size(of: item).map(JSON.integer) ?? .null), JSON.Member("versions", .integer(Int64(place.versions(of: item)))),
    ])
}

private func since(_ arguments: Arguments) throws(Stop) -> Int64 {
    guard let word = arguments.values(of: .since).last else { return .min }
    return try namedTime(word).beginning
}

/// A TIME that somebody typed.
func namedTime(_ word: String) throws(Stop) -> NamedTime {
    guard let time = NamedTime(word, .current) else { throw Stop(2, "\(quoted(word)) is no time; one is “10 min ago”, “yesterday” or “2026-11-21 14:30”") }
    return time
}

private func purge(_ found: [(place: DeletedPlace, items: [DeletedItem])], _ arguments: Arguments) throws(Stop) -> Int32 {
    for (place, _) in found { try ContainerWriting.check(place.top) }
    let count = found.reduce(0) { $0 + $1.items.count }
    guard count > 0 else {
        printUnlessQuiet("Nothing is kept of what was deleted there.\n", arguments)
        return 0
    }
    let bytes = found.reduce(Int64(0)) { sum, each in each.items.reduce(sum) { $0 &+ (each.place.size(of: $1) ?? 0) } }
    let what = "\(count) deleted item\(count == 1 ? "" : "s") with their versions (\(size(bytes)))"
    let said = (arguments.values(of: .since).last.map { " --since \(shellWord($0))" } ?? "") + arguments.operands.map { " " + shellWord($0) }.joined()
    guard try PurgeQuestion.isMeant(what, "valise deleted --purge --yes\(said)", arguments) else { return 1 }
    for (place, items) in found { try place.change { (container) throws(Failure) in try container.purge(items.map(\.number)) } }
    printIfVerbose("\(what) are gone", arguments)
    return 0
}

/// `valise undelete`: what was deleted comes back.
func undeleteVerb(_ arguments: Arguments) throws(Stop) -> Int32 {
    let since = try since(arguments), isSince = !arguments.values(of: .since).isEmpty
    let numbers = arguments.operands.compactMap(UInt64.init), paths = arguments.operands.filter { UInt64($0) == nil }
    guard !arguments.operands.isEmpty || isSince else { throw Stop(2, "say what is to come back: a PATH, a NUMBER of “valise deleted”, or --since TIME") }
    var places: [DeletedPlace] = []
    for path in paths { places.append(try DeletedPlace(path)) }
    if places.isEmpty { places = [try DeletedPlace.only(isSince ? "valise undelete --since TIME DRIVE" : "valise undelete DRIVE NUMBER")] }
    var chosen: [(place: DeletedPlace, numbers: [UInt64])] = [], hints: [String] = []
    if !numbers.isEmpty {
        guard Set(places.map(\.container.path)).count == 1 else { throw Stop(2, "each container has numbers of its own: name one drive with numbers") }
        for number in numbers where !places[0].items.contains(where: { $0.number == number }) {
            throw Stop(1, "\(number) is not among the deleted; those that are: valise deleted \(shellWord(places[0].top))")
        }
        chosen.append((places[0], numbers))
    }
    for (index, place) in places.enumerated() where isSince || numbers.isEmpty || !place.path.isEmpty {
        if place.path.isEmpty, !isSince { throw Stop(2, "say what is to come back to \(quoted(paths[index])): a NUMBER, or --since TIME") }
        let items = newest(place.found.filter { $0.when.seconds >= since })
        if items.isEmpty, !paths.isEmpty {
            let when = isSince ? " since then" : ""
            throw Stop(1, "nothing that was deleted\(when) is kept of \(quoted(paths[index])); \(whereElse(paths[index], place))")
        }
        chosen.append((place, items.map(\.number)))
        if let hint = hint(of: items, in: place) { hints.append(hint) }
    }
    for (place, numbers) in chosen where !numbers.isEmpty {
        try place.change { (container) throws(Failure) in try container.undelete(numbers) }
    }
    let count = chosen.reduce(0) { $0 + $1.numbers.count }
    if count == 0 { printUnlessQuiet("Nothing was deleted since then.\n", arguments) }
    for hint in hints { printUnlessQuiet(hint + "\n", arguments) }
    printIfVerbose("\(count) item\(count == 1 ? " is" : "s are") back", arguments)
    return 0
}

/// Which one came back, where others of its name are kept, and how to get one of those.
private func hint(of items: [DeletedItem], in place: DeletedPlace) -> String? {
    let others = Dictionary(grouping: place.found) { $0.path + [$0.shown] }.mapValues { $0.dropFirst() }
    let several = items.filter { others[$0.path + [$0.shown]]?.isEmpty == false }
    guard let item = several.first, let older = others[item.path + [item.shown]], let next = older.first else { return nil }
    let shown = "\(place.top)/\(place.shownPath(of: item))"
    guard items.count == 1 else {
        let folder = ([place.top] + place.path.map { String(decoding: $0.bytes, as: UTF8.self) }).joined(separator: "/")
        return "Of \(several.count) of these, the last one is back, and others of the same name are kept: valise deleted \(shellWord(folder))"
    }
    return "\(quoted(shown)) is back as it was when it was deleted last (number \(item.number)). \(counted(older.count, "other")) of that name "
        + "\(older.count == 1 ? "is" : "are") kept: valise deleted \(shellWord(shown))\n"
        + "To have another one, move this one away first, then, by its number: valise undelete \(shellWord(place.top)) \(next.number)"
}

/// Of what was deleted several times under one name, the last.
private func newest(_ items: [DeletedItem]) -> [DeletedItem] {
    var seen: Set<[Name]> = []
    let found = items.filter { seen.insert($0.path + [$0.shown]).inserted }
    // What went out of a folder before is no part of what that was when it was deleted as one item.
    let folders = found.filter(\.isFolder)
    return found.filter { item in
        !folders.contains { item.path.starts(with: $0.path + [$0.stored]) && $0.removal != item.removal }
    }
}

/// A document whose name was written anew at once was not deleted: what it was is a version of what has the name now.
private func whereElse(_ path: String, _ place: DeletedPlace) -> String {
    let isVersioned = (try? NamedDocument(path)).flatMap { try? $0.container.versionsRoom(at: $0.place.path + [$0.place.stored]) }.map { $0.items > 0 } ?? false
    return isVersioned ? "it was written anew, and has earlier versions: valise versions \(shellWord(path))" : "what is: valise deleted \(shellWord(place.top))"
}
