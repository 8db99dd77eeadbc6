import Coordination
import Foundation

// DocumentTrial FILE STEP…: drives a document through its life, and prints what happens. The steps are in Steps.swift. PATIENCE in the environment is
// for how many seconds an access waits until a document is saved.
if let seconds = ProcessInfo.processInfo.environment["PATIENCE"].flatMap(Int64.init) { PresenterPatience.set(milliseconds: seconds * 1000) }
let words = CommandLine.arguments.dropFirst()
guard let path = words.first else { exit(2) }
if path == "identity" { Identity.follow() }
if path == "conflicts", let folder = words.dropFirst().first { Listing.conflicts(in: folder) }
if path == "settings", words.count > 2, let count = Int(words[words.startIndex + 2]) {
    SettingsTrial.run(in: words[words.startIndex + 1], count, endedBy: words.count > 3 ? Int32(words[words.startIndex + 3]) : nil)
}
let steps = Steps(URL(fileURLWithPath: path, isDirectory: false))
for step in words.dropFirst() { await steps.run(step) }
