import Containers
import Coordination
import Glibc
import LinuxFiles

// Claims items of a container like a program of its own.
//
//     ClaimTrial CONTAINER turns COUNT ITEMS FIRST      claims ITEMS documents in turn, COUNT times, from number FIRST on
//     ClaimTrial CONTAINER random COUNT SEED            claims at random, and checks in the file “counters” that it is alone
//     ClaimTrial CONTAINER wait inside                  waits in a lane of its own, which a debug build does not survive
//     ClaimTrial CONTAINER present PATH TEXT            has PATH open with a TEXT that is not saved yet, and prints what it is asked and told
//     ClaimTrial CONTAINER next TIMES                   asks for the container's lock as a mount does, has it, and ends; so many times
//     ClaimTrial CONTAINER hold PATH                    says “held” once it has the item, and keeps it until it is ended
//     ClaimTrial CONTAINER guard PATH                   the same, and is alone: with a lock on “guard-PATH”; until “end” is there
//     ClaimTrial CONTAINER watch PATH                   claims the item again and again, and says “broken” where somebody has that lock
//     ClaimTrial CONTAINER mount x                      has the container's lock as a drive that is mounted, until “unmount” is there
//
// With DIE=MOMENT and TIME=NUMBER it kills itself when that happens while the container's lock is handed over, the first time or a later one.

let words = CommandLine.arguments
guard words.count > 3 else { exit(2) }
Dying.prepare()
let coordinator = try FileCoordinator(words[1])

switch words[2] {
case "turns":
    let count = Int(words[3]) ?? 0, items = Int(words[4]) ?? 1, first = Int(words[5]) ?? 0
    for turn in 0..<count {
        let item = "Document \((first + turn) % items)"
        try coordinator.coordinate(writing: item) { _ in }
    }
    print("\(count) claims")
case "random":
    var claims = try RandomClaims(coordinator, counters: words[1] + "/counters", seed: UInt64(words[4]) ?? 0)
    try claims.run(Int(words[3]) ?? 0)
case "wait":
    DocumentCoordinator().write(LaneID(rawValue: 1)) { DocumentCoordinator().drain() }
    print("waited")
case "present":
    let editor = Editor(unsaved: words[4])
    try editor.open(words[3], of: words[1])
    editor.say("presented")
    while true { pause() }
case "next":
    let container = try Container.open(words[1], access: .readWrite, creating: [], kinds: .shipped)
    for _ in 0..<(Int(words[3]) ?? 0) {
        let server = try askedForServer(of: container, purpose: "next")
        print("taken")
        fflush(nil)
        server.stop(waiting: 0)
    }
case "hold":
    try coordinator.coordinate(writing: words[3]) { _ in
        print("held")
        fflush(nil)
        while true { pause() }
    }
case "guard":
    let guarding = try Guarding(words[1], words[3])
    try coordinator.coordinate(writing: words[3]) { _ in
        print(guarding.isAlone ? "held" : "broken")
        fflush(nil)
        while !guarding.isToldToEnd("end") { usleep(2000) }
        guarding.letGo()
    }
    print("over")
case "watch":
    let guarding = try Guarding(words[1], words[3])
    while !guarding.isToldToEnd("end-watching") {
        try coordinator.coordinate(writing: words[3]) { _ in
            print(guarding.isAlone ? "free" : "broken")
            fflush(nil)
            usleep(1000)
            guarding.letGo()
        }
        usleep(1000)
    }
case "mount":
    try serveAsDrive(words[1])
default: exit(2)
}
// A global is not let go of at the end, and this process may be the one that serves the others.
coordinator.close()
