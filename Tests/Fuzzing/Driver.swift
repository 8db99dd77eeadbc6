// Gives what reads from outside bytes that nobody meant: a trap ends the process, and the bytes lie in a file.
//
// usage: Fuzzing TARGET|all ROUNDS SEED [FOUND]     mutations of the seeds, the same for the same numbers
//        Fuzzing TARGET FILE…                        these bytes, as they were found
//        Fuzzing --seeds FOLDER                      writes the seeds, one folder a target
//        Fuzzing --libfuzzer TARGET OPTION…          by libFuzzer, where it was built with that (Tests/Support/fuzz.sh)
import Glibc

@main struct Driver {
    static func main() {
        let words = CommandLine.arguments
        if words.count > 2, words[1] == "--libfuzzer" { return libFuzzer(words[2]) }
        if words.count == 3, words[1] == "--seeds" { return writeSeeds(to: words[2]) }
        guard words.count >= 3 else { return usage() }
        let chosen = Target.all.filter { words[1] == "all" || words[1] == $0.name }
        if chosen.isEmpty { return usage() }
        guard let rounds = Int(words[2]), words.count >= 4, let seed = UInt64(words[3]) else {
            for path in words.dropFirst(2) { for target in chosen { target.run(contents(of: path)) } }
            return
        }
        for target in chosen { mutate(target, rounds, seed, found: words.count > 4 ? words[4] : nil) }
    }

    private static func usage() {
        print("usage: Fuzzing TARGET|all ROUNDS SEED [FOUND]; the targets: " + Target.all.map(\.name).joined(separator: " "))
        exit(2)
    }

    private static func mutate(_ target: Target, _ rounds: Int, _ seed: UInt64, found: String?) {
        var random = Mutation(seed: seed)
        for seed in target.seeds { target.run(seed) }
        for _ in 0..<rounds {
            let bytes = random.changed(target.seeds.randomElement(using: &random) ?? [], with: target.seeds.randomElement(using: &random) ?? [])
            // Before it is tried: afterwards there may be nobody to write it.
            if let found { write(bytes, to: found + "/" + target.name) }
            target.run(bytes)
        }
        print("\(target.name): \(rounds) rounds")
    }

    private static func writeSeeds(to folder: String) {
        for target in Target.all {
            mkdir(folder + "/" + target.name, 0o755)
            for (index, seed) in target.seeds.enumerated() { write(seed, to: "\(folder)/\(target.name)/\(index)") }
        }
    }

    private static func write(_ bytes: [UInt8], to path: String) {
        let file = creat(path, 0o644)
        _ = Glibc.write(file, bytes, bytes.count)
        close(file)
    }

    private static func contents(of path: String) -> [UInt8] {
        let file = Glibc.open(path, O_RDONLY)
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = Glibc.read(file, &bytes, bytes.count)
        close(file)
        return Array(bytes.prefix(max(0, count)))
    }

    #if LIBFUZZER
    private static func libFuzzer(_ name: String) {
        guard let target = Target.all.first(where: { $0.name == name }) else { return usage() }
        chosen = target
        // Its own arguments, without the first two.
        var texts = (["Fuzzing"] + CommandLine.arguments.dropFirst(3)).map { strdup($0) } + [nil]
        var count = CInt(texts.count - 1)
        texts.withUnsafeMutableBufferPointer { buffer in
            var start = buffer.baseAddress
            exit(run(&count, &start) { bytes, count in
                chosen?.run(Array(UnsafeRawBufferPointer(start: bytes, count: count)))
                return 0
            })
        }
    }

    nonisolated(unsafe) private static var chosen: Target?
    #else
    private static func libFuzzer(_: String) {
        print("this was built without libFuzzer")
        exit(2)
    }
    #endif
}

#if LIBFUZZER
@_silgen_name("LLVMFuzzerRunDriver") private func run(
    _ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ body: @convention(c) (UnsafeRawPointer?, Int) -> CInt
) -> CInt
#endif
