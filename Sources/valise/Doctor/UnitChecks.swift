import LinuxFiles
import Shell

/// The drives that systemd serves, where it runs: those of the user, and those of the system.
enum UnitChecks {
    static func all() -> [Finding] {
        guard (try? status(of: "/run/systemd/system")) != nil else { return [] }
        return units("--user") + units("--system")
    }

    /// "valise@home-ann-Bookmarks.service loaded failed failed A drive of …", a line each.
    private static func units(_ whose: String) -> [Finding] {
        guard let run = ProgramRun.run("systemctl", [whose, "list-units", "--all", "--plain", "--no-legend", "--no-pager", "valise@*.service"]), run.code == 0 else { return [] }
        return run.output.split(whereSeparator: \.isNewline).compactMap { line in
            let words = line.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
            guard words.count > 3 else { return nil }
            let unit = words[0]
            guard words[2] == "failed" else { return Finding(.ok, "the unit \(unit) is \(words[2])") }
            let journal = whose == "--user" ? "journalctl --user -u" : "journalctl -u"
            let restart = whose == "--user" ? "systemctl --user restart" : "sudo systemctl restart"
            return Finding(.problem, "the unit \(unit) has failed; to see why: \(journal) \(shellWord(unit))", mend: "\(restart) \(shellWord(unit))")
        }
    }
}
