import Glibc

// Takes locks and lanes in an order that is wrong, or once in the right one.
//
//     WrongOrderTrial CASE      says “went on” where nothing stopped it; a debug build must not come so far, except with “right”
//
// Without CASE it lists the cases.

guard CommandLine.arguments.count > 1 else {
    for (name, _) in Cases.all { print(name) }
    exit(0)
}
guard let run = Cases.all.first(where: { $0.name == CommandLine.arguments[1] })?.run else { exit(2) }
run()
print("went on")
