// Gives what reads from outside bytes that nobody meant: a trap ends the process, and the bytes lie in a file.
//
// usage: Fuzzing TARGET|all ROUNDS SEED [FOUND]     mutations of the seeds, the same for the same numbers
//        Fuzzing TARGET FILE…                        these bytes, as they were found
//        Fuzzing --seeds FOLDER                      writes the seeds, one folder a target
// Tests/Support/fuzz.sh has the same targets run by libFuzzer, where the toolchain has it.
import Glibc
import SeededNumbers

#if !LIBFUZZER
@main
#endif
struct Driver {
    static func main() {
        let words = CommandLine.arguments
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
        var random = SeededNumbers(seed: seed)
        for seed in target.seeds { target.run(seed) }
        for _ in 0..<rounds {
            let bytes = random.changed(target.seeds.randomElement(using: &random) ?? [], with: target.seeds.randomElement(using: &random) ?? [])
            // Before it is tried: afterwards there may be nobody to write it.
            if let found { write(bytes, to: found + "/" + target.name) }
            target.run(bytes)
        }
        print("\(target.name): \(rounds) rounds")
    }

    static func writeSeeds(to folder: String) {
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
}

#if LIBFUZZER
/// libFuzzer has a main of its own. FUZZING names the target; FUZZING_SEEDS a folder for the seeds, and then nothing is run.
private let chosen = Target.all.first { $0.name == getenv("FUZZING").map { String(cString: $0) } }

@_cdecl("LLVMFuzzerInitialize") public func begin(_: UnsafeMutableRawPointer, _: UnsafeMutableRawPointer) -> CInt {
    if let folder = getenv("FUZZING_SEEDS") {
        Driver.writeSeeds(to: String(cString: folder))
        print(Target.all.map(\.name).joined(separator: " "))
        exit(0)
    }
    return 0
}

@_cdecl("LLVMFuzzerTestOneInput") public func tryOnce(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    chosen?.run(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
#endif
