import CallFaults
import Glibc
import LinuxFiles
import TextBundles

// Does one thing with a container while calls go wrong as the arguments say:
// ContainerTrial CONTAINER OPERATION KIND CONTENT DEED POINT ERRNO REFUSING
//
// Says "done" or "failed ERRNO", each with the number of descriptors that are open too many, and the calls that were
// counted. Then it waits for lines: "again" does the same thing again, with nothing in its way; "close" lets go of the
// container, and then "POINT ERRNO CONTAINER" does it with another one.
//
// ContainerTrial serve: waits for such arguments on its standard input, and a socket with each; each trial is a copy of this process then.

func say(_ text: String) {
    let bytes = Array((text + "\n").utf8)
    _ = bytes.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
}

func openDescriptors() -> Int {
    guard let folder = opendir("/proc/self/fd") else { return -1 }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    return count
}

func calls() -> String { (0..<CallFaults_count()).map { String(cString: CallFaults_name($0)) }.joined(separator: ",") }

/// The arguments of a trial, in the process that is to make it.
func nextTrial() throws -> [String] {
    while true {
        guard let message = try server.receive(limit: 1 << 16), let socket = message.file else { exit(0) }
        guard CallFaults_begin(socket.descriptor.rawValue) == 1 else { continue }
        return message.bytes.split(separator: 0, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
    }
}

/// As long as the process is: the trial's input has this number then.
let server = Channel(adopting: Descriptor(adopting: 0))
let arguments = CommandLine.arguments == [CommandLine.arguments[0], "serve"] ? try nextTrial() : CommandLine.arguments
guard arguments.count == 9, let deed = Int32(arguments[5]), let point = Int(arguments[6]), let number = Int32(arguments[7]),
    let refusing = Int32(arguments[8])
else {
    say("usage: ContainerTrial CONTAINER OPERATION KIND CONTENT DEED POINT ERRNO REFUSING")
    exit(2)
}

/// One container, until a line says something else than that it is tried again. That line.
func attempt(_ container: String, _ point: Int, _ number: Int32) -> String? {
    // Opening is an operation of its own; for the others it is over before anything is counted.
    let trial: any TrialOperation = switch arguments[2] {
    case "key-values": KeyValueTrial(container: container, content: arguments[4])
    case "share": ShareTrial(container: container)
    case _ where arguments[3] == TextBundles.novel && arguments[2] != "recover":
        FolderItemTrial(container: container, operation: arguments[2])
    default: Trial(container: container, operation: arguments[2], kind: arguments[3], content: arguments[4])
    }
    let setUp = trial.prepare()
    guard setUp == 0 else {
        say("cannot begin: \(setUp)")
        exit(3)
    }
    let before = openDescriptors()
    CallFaults_arm(deed, point, number)
    var result = trial.run()
    CallFaults_disarm()
    while true {
        let leaked = openDescriptors() - before - trial.heldDescriptors
        say(result == 0 ? "done \(leaked) \(trial.written) \(calls())" : "failed \(result) \(leaked) \(trial.written) \(calls())")
        let line = readLine()
        guard line == "again" else { return line }
        result = trial.run()
    }
}

CallFaults_refuse(refusing)
let atFirst = openDescriptors()
var next = (container: arguments[1], point: point, number: number)
while attempt(next.container, next.point, next.number) == "close" {
    say("done \(openDescriptors() - atFirst) 0 ")
    guard let words = readLine()?.split(separator: " ", maxSplits: 2), words.count == 3, let point = Int(words[0]), let number = Int32(words[1]) else { break }
    next = (String(words[2]), point, number)
}
