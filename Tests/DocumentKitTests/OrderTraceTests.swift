import Foundation
import MountTesting
import Testing

/// What a document goes through when others do something to its file, one after another and in all orders: somebody on a drive, the app itself without a
/// word, and another program that coordinates. `DocumentTrial` has the document, and does what they do.
struct OrderTrace: CustomTestStringConvertible, Sendable {
    enum Place: String, Sendable {
        /// By its name in a container that a drive shows, by its name on that drive, and in a container that no drive shows.
        case stored, shown, alone

        /// Without a drive a coordinator of the app's acts in its stead.
        var actors: [String] { [self == .alone ? "own" : "drive", "app", "coordinated"] }
    }

    let name: String
    let place: Place
    var kind = "stedoc"
    var actors: [String]?
    var begin = "open"
    /// What each does, by who it is and how many have done it, from one on; `isLast`.
    let turn: @Sendable (_ who: String, _ number: Int, _ isLast: Bool) -> String
    let end: String
    /// The lines that are kept of a trace: those that begin with one of these words.
    let words: Set<String>
    let trace: @Sendable (_ order: [String]) -> [String]
    /// Lines of different presenters come in any order.
    var isSorted = false

    var testDescription: String { "\(name), \(place), .\(kind)" }

    var orders: [[String]] { Self.permutations(actors ?? place.actors) }

    private static func permutations(_ words: [String]) -> [[String]] {
        words.count < 2 ? [words] : words.flatMap { first in permutations(words.filter { $0 != first }).map { [first] + $0 } }
    }

    func steps(_ order: [String]) -> [String] {
        let turns = order.enumerated().map { turn($1, $0 + 1, $0 + 1 == order.count) }
        return [begin, turns.joined(separator: turns[0].hasPrefix("busy") ? "" : " "), end].flatMap { $0.split(separator: " ").map(String.init) }
    }

    /// Loading the same thing twice is loading it, and what is being written is empty for a moment. Without a drive what is written without a word may be
    /// seen by chance, also at the very end, and who presents an item hears that it may be another one when somebody else begins to serve. What is renamed on a drive, by whose
    /// name there it is presented, is told as changed besides.
    func kept(of lines: [String]) -> [String] {
        func isChance(_ line: String) -> Bool { place == .alone && line == "load app" || place != .stored && line.split(separator: " ").dropFirst().first == "changed" }
        // Editing is disabled for as long as something is read.
        let said = place == .alone ? lines.map { $0 == "is editingDisabled" ? "is normal" : $0 } : lines
        let found = said.filter { line in line != "load" && !isChance(line) && words.contains(String(line.prefix { $0 != " " })) }
        let single = found.indices.filter { $0 == 0 || found[$0] != found[$0 - 1] || !found[$0].hasPrefix("load") }.map { found[$0] }
        return isSorted ? single.sorted() : single
    }

    // MARK: The traces

    static let all = [Place.stored, .shown].flatMap { place in ["stedoc", "md"].flatMap { [written(place, $0), clashed(place, $0)] } }
        + [written(.alone, "stedoc"), clashed(.alone, "stedoc"), clashed(.alone, "md")]
        + [moved(.stored, "stedoc"), moved(.shown, "stedoc"), moved(.shown, "md"), moved(.alone, "stedoc")]
        + [told(.stored), told(.shown), told(.alone)] + [Place.stored, .shown, .alone].map(movedWhileBusy)

    /// Another's content is read, whoever wrote it, and what is typed from then on is not lost.
    private static func written(_ place: Place, _ kind: String) -> OrderTrace {
        OrderTrace(
            name: "written", place: place, kind: kind,
            // Without a drive nobody notices what is written without a word.
            turn: { who, _, _ in "by:\(who):write:\(who)" + (place == .alone && who == "app" ? "" : " until:\(who)") },
            end: "settle file state kept close unsaved", words: ["load", "not", "file", "is", "kept", "close", "unsaved"]
        ) { order in
            // What a drive replaces it keeps.
            let before = order.firstIndex(of: "drive").map { $0 == 0 ? "one" : order[$0 - 1] }
            return ["load one"] + order.filter { place != .alone || $0 != "app" }.map { "load \($0)" }
                + ["file \(order[order.count - 1])", "is normal", before.map { "kept \($0)" } ?? "kept", "close true", "unsaved false"]
        }
    }

    /// Each writes beside an edit. Whoever can be asked gets that before; what the document has not seen it does not write over.
    private static func clashed(_ place: Place, _ kind: String) -> OrderTrace {
        OrderTrace(
            // Whoever claims something in the moment in which another process begins to serve asks nobody.
            name: "clashed", place: place, kind: kind, actors: place == .alone ? ["own", "app"] : nil, turn: { who, number, _ in "edit:mine\(number) by:\(who):write:\(who) settle autosave" },
            end: "file text unsaved state kept close unsaved", words: ["autosave", "file", "text", "is", "unsaved", "kept", "close"]
        ) { clash($0) }
    }

    private static func clash(_ order: [String]) -> [String] {
        var current = "one", versions: [String] = []
        for (index, who) in order.enumerated() {
            if who == "app" { current = "app!" }
            versions.append(current)
            current = "mine\(index + 1)"
            // A drive keeps what it replaces.
            if who == "drive" { versions.append(current) }
            if who != "app" { current = who }
        }
        return order.map { _ in "autosave true" } + ["file \(current)", "text \(current)", "unsaved false", "is inConflict", "kept \(versions.sorted().joined(separator: " "))", "close true", "unsaved false"]
    }

    /// What was typed goes along, and what the document was; there is one file.
    private static func moved(_ place: Place, _ kind: String) -> OrderTrace {
        OrderTrace(
            name: "moved", place: place, kind: kind, turn: { who, number, _ in "edit:mine\(number) by:\(who):move:\(who) settle autosave until:\(who) unsaved file" },
            end: "state kept close unsaved settle stored", words: ["not", "autosave", "unsaved", "file", "is", "kept", "close", "stored"]
        ) { order in
            order.indices.flatMap { ["autosave true", "unsaved false", "file mine\($0 + 1)"] }
                + ["is normal", "kept mine1 mine2 one", "close true", "unsaved false", "stored \(order[order.count - 1]).\(kind)"]
        }
    }

    /// Who presents a document, and who presents its folder, hears of each move and of its end once.
    private static func told(_ place: Place) -> OrderTrace {
        OrderTrace(
            name: "told", place: place, actors: place == .alone ? ["own", "coordinated"] : nil, begin: "watch",
            turn: { who, _, isLast in
                // What is renamed without a word while a drive looks at a claim's end is gone, and another file there.
                "settle settle " + (isLast ? "by:\(who):delete heard:own+deleted" : "by:\(who):move:\(who) heard:own+moved+\(who)")
            },
            end: "settle settle settle", words: ["not", "own", "around"],
            trace: { order in
                let names = ["Notes"] + order.dropLast(), moves = zip(names, names.dropFirst())
                return (moves.flatMap { ["own moved \($1)", "around moved \($0) \($1)"] } + ["own deleted", "around deleted \(names[names.count - 1])"]).sorted()
            },
            isSorted: true)
    }

    /// The main thread does nothing for as long as the three take, of whom one waits for it until patience ends.
    private static func movedWhileBusy(_ place: Place) -> OrderTrace {
        OrderTrace(
            name: "movedWhileBusy", place: place, begin: "open edit:mine",
            // What is renamed without a word is told when a drive has noticed it.
            turn: { who, number, isLast in (number == 1 ? "busy:" : ",") + "\(who):move:\(who)" + (isLast ? " save settle until:\(who)" : "") },
            end: "unsaved close unsaved settle stored file", words: ["save", "not", "unsaved", "close", "stored", "file"]
        ) { order in ["save true", "unsaved false", "close true", "unsaved false", "stored \(order[order.count - 1]).stedoc", "file mine"] }
    }
}

@Suite(.long, .waiting, .timeLimit(.minutes(40))) struct OrderTraceTests {
    /// Each order in a folder of its own.
    private func container(for trace: OrderTrace) throws -> TemporaryContainer {
        let container = try TemporaryContainer("text Other two")
        mkdir(container.stored(".valise"), 0o700)
        for number in trace.orders.indices {
            mkdir(container.stored("\(number)"), 0o700)
            try Data("one".utf8).write(to: URL(fileURLWithPath: container.stored("\(number)/Notes.\(trace.kind)")))
        }
        return container
    }

    /// All orders at once.
    private func run(_ trace: OrderTrace, in container: TemporaryContainer, drive: MountedDrive?) throws {
        let running = try trace.orders.enumerated().map { number, order in
            let folder = container.stored("\(number)")
            let shown = drive.map { "\($0.mountpoint)/\(number)" }
            let file = trace.place == .shown ? "\(shown ?? folder)/Notes.\(trace.kind == "stedoc" ? "txt" : trace.kind)" : "\(folder)/Notes.\(trace.kind)"
            var environment = ["CONTAINER": folder, "VALISE": Places.valise]
            environment["DRIVE"] = shown
            return (order, try Program([Places.built + "/DocumentTrial", file] + trace.steps(order), environment: environment))
        }
        defer { for (_, program) in running where !program.hasEnded { program.end() } }
        for (order, program) in running {
            let ended = try program.wait(seconds: 120)
            #expect(ended.code == 0 && trace.kept(of: ended.lines) == trace.trace(order), "\(order.joined(separator: "-")): \(ended.output)\(ended.errors)")
        }
    }

    @Test(.mounting, arguments: OrderTrace.all.filter { $0.place != .alone })
    func besideADrive(trace: OrderTrace) throws {
        let container = try container(for: trace)
        try withDrive(container) { try run(trace, in: container, drive: $0) }
    }

    @Test(arguments: OrderTrace.all.filter { $0.place == .alone })
    func withoutADrive(trace: OrderTrace) throws {
        try run(trace, in: container(for: trace), drive: nil)
    }
}
