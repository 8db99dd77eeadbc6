// Makes random calls on a drive and in a plain folder, and says the first thing that differs from what they should do.
//
// usage: RandomCalls DRIVE FOLDER SEED STEPS
//
// A model of the file system says what each call is to answer and what is to be so after it. After every step both sides
// must have answered as the model did, and everything that the step could touch is compared with it on both sides: each
// node that the call named, opened, moved, replaced or changed, and the folders around it, by every name that it has and
// in every file that is open on it. Compared are type, mode, owner, group, size, link count, content, entries, extended
// attributes, where a link leads, and the times of content and change: exactly
// where a call set them, and otherwise between the call that made them and now. Every 500 steps, and at the end, the same
// is done with the whole tree, which finds what was changed and should not have been.
import Glibc

guard CommandLine.arguments.count == 5, let seed = UInt64(CommandLine.arguments[3]), let steps = Int(CommandLine.arguments[4]) else {
    print("usage: RandomCalls DRIVE FOLDER SEED STEPS")
    exit(2)
}
var trial = Trial(drive: CommandLine.arguments[1], folder: CommandLine.arguments[2], seed: seed)
exit(trial.run(steps: steps) ? 0 : 1)
