import Checking
import Containers
import Glibc
import LinuxFiles
import Shell

/// Whether a folder can be mounted as a container.
enum ContainerChecks {
    static func all(_ path: String) -> [Finding] {
        let found: FileStatus
        do throws(Errno) { found = try status(of: path) }
        catch {
            // Where documents were, an empty container in their place would only hide that they are gone.
            let gone = error == .noSuchEntry ? "; if it was moved or renamed, name it as it is called now" : ""
            return [Finding(.problem, "the container \(quoted(path)) cannot be looked at: \(error)\(gone)")]
        }
        guard found.type == .folder else { return [Finding(.problem, "the container \(quoted(path)) is not a folder")] }
        guard isPermitted(R_OK | X_OK, path) else {
            return [Finding(.problem, "you may not read the container \(quoted(path))", mend: permission(path))]
        }
        return [Finding(.ok, "the container \(quoted(path)) can be read"), documents(path), state(path)] + SyncthingCheck.all(path) + store(path) + kept(path)
    }

    private static func documents(_ path: String) -> Finding {
        guard (try? status(of: "\(path)/Documents"))?.type == .folder else {
            return Finding(.note, "it has no folder “Documents”, so the drive shows the whole container")
        }
        return isPermitted(R_OK | X_OK, "\(path)/Documents")
            ? Finding(.ok, "the drive shows its folder “Documents”")
            : Finding(.problem, "you may not read its folder “Documents”", mend: permission(path + "/Documents"))
    }

    /// How one may come to read it, without taking it away from whose it is.
    private static func permission(_ path: String) -> String {
        guard let owner = try? status(of: path).owner, owner != getuid() else { return "chmod -R u+rwX \(shellWord(path))" }
        return "as \(userName(owner)): setfacl -R -m u:\(userName(getuid())):rX \(shellWord(path)) (or a group that both are in: chgrp -R GROUP, chmod -R g+rX), and mount with -o ro"
    }

    /// Valise's own folder in it, which a drive that writes needs.
    private static func state(_ path: String) -> Finding {
        // Root may do anything, and keeps its state beside that of a container's owner.
        let own = "\(path)/\(Hidden.state)"
        let there = try? status(of: own), exists = there != nil
        if let there {
            guard there.type == .folder else { return Finding(.problem, "\(quoted(own)) is \(Container.words(for: there.type)), and Valise makes it a folder; take it away") }
            if there.owner == geteuid(), !isPermitted(R_OK | W_OK | X_OK, own) {
                return Finding(.problem, "you may not look into \(quoted(own)), which is yours, so no drive can be mounted that writes", mend: "chmod u+rwx \(shellWord(own))")
            }
        }
        guard isPermitted(W_OK, exists ? own : path) else {
            return Finding(.note, "you may not write to \(quoted(exists ? own : path)), so the drive can only be mounted read-only (-o ro)")
        }
        return Finding(.ok, exists ? "its folder “.valise” can be written" : "a folder “.valise” can be made in it")
    }

    /// What the file system can do that it lies on.
    private static func store(_ path: String) -> [Finding] {
        guard let container = try? Container.open(path, access: .readWrite, creating: [], kinds: PersonsKinds.own.registry), let store = container.triedStore() else { return [] }
        guard !store.shortcomings.isEmpty else { return [Finding(.ok, "its file system can do what Valise needs")] }
        return store.shortcomings.map { Finding(.note, "its file system \($0)") }
    }

    /// What Valise keeps in it, as `valise check` looks at it; the documents take longer.
    private static func kept(_ path: String) -> [Finding] {
        var check: ContainerCheck, kinds: [Finding]
        do throws(Failure) {
            let container = try Container.open(path, access: .read, creating: [], kinds: PersonsKinds.own.registry)
            kinds = container.kindMistakes.map { Finding(.problem, $0) }
            check = ContainerCheck.quick(container)
            check.lookAtSettings(of: container)
        } catch { return [Finding(.problem, error.sentence)] }
        let holder = check.holder.map { Finding(.ok, "it is in use (\($0))") }
        let found = check.findings.prefix(5).map { found in
            let sentence = "\(quoted(pathText(found.path))): \(clause(found.reason))"
            // What one may not look at is not one's own to repair, and unsaved changes may wait.
            return !found.isDamage ? Finding(.note, sentence) : Finding(.problem, sentence, mend: found.kind == .damagedSettings ? nil : "valise check --repair \(shellWord(path))")
        }
        let others = check.findings.dropFirst(5), problems = others.count(where: \.isDamage)
        let more = others.isEmpty ? [] : [Finding(
            problems > 0 ? .problem : .note, "\(counted(others.count, "more finding")) of this sort in what Valise keeps in it\(problems > 0 && problems < others.count ? ", \(counted(problems, "problem")) among them" : "")",
            mend: "valise check \(shellWord(path))")]
        guard !found.isEmpty else {
            return kinds + [holder, Finding(.ok, "what Valise keeps in it is in order; to look at every document: valise check \(shellWord(path))")].compactMap { $0 }
        }
        return kinds + (holder.map { [$0] } ?? []) + found + more
    }
}

/// Whether Syncthing leaves Valise's own folder alone, where it shares a container or a folder above.
enum SyncthingCheck {
    static func all(_ container: String) -> [Finding] {
        guard let real = try? realPath(container), let shared = folder(above: real) else { return [] }
        let inside = real == shared ? "" : String(real.dropFirst(shared == "/" ? 1 : shared.count + 1)) + "/"
        let lines = String(decoding: (try? contents(of: "\(shared)/.stignore")) ?? [], as: UTF8.self).split(whereSeparator: \.isNewline).map { line in
            // What may be deleted with its folder is ignored, too.
            var text = Substring(line).drop { $0 == " " }
            if text.hasPrefix("(?d)") { text = text.dropFirst(4) }
            return String(text.prefix { $0 != " " })
        }
        let wanted = "\(inside)\(Hidden.state)"
        let good = ["/\(wanted)", wanted, "\(Hidden.state)", "**/\(Hidden.state)", "/\(wanted)/", "\(Hidden.state)*", "/\(wanted)*"]
        guard lines.contains(where: { good.contains($0) }) else {
            return [Finding(
                .problem, "Syncthing shares \(quoted(shared)) with other computers, and with it Valise's own folder, which each computer has to have for itself",
                mend: "echo \(shellWord("/\(wanted)")) >>\(shellWord("\(shared)/.stignore"))")]
        }
        return [Finding(.ok, "Syncthing leaves Valise's folder alone (.stignore)")]
    }

    /// The folder that Syncthing shares: it makes a marker there.
    private static func folder(above path: String) -> String? {
        let parts = path.split(separator: "/")
        return (0...parts.count).reversed().lazy.map { "/" + parts.prefix($0).joined(separator: "/") }.first { (try? status(of: $0 == "/" ? "/.stfolder" : "\($0)/.stfolder")) != nil }
    }
}
