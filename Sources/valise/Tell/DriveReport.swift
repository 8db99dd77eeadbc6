import Containers
import LinuxFiles
import Shell

/// What a drive says of itself, with the conflicts in its container and the room that is taken by what is kept there.
struct DriveReport {
    let mount: MountTable.Mount
    let json: JSON
    private(set) var page: StatusReport

    /// Of each, in the same order: what it says, or why it says nothing. All are asked at once, and their containers as many as there are processors.
    static func all(of mounts: [MountTable.Mount], withRoom: Bool) -> [Result<DriveReport, Stop>] {
        var reports = zip(mounts, StatusSource.pages(of: mounts)).map { mount, page in page.map { DriveReport(mount: mount, json: $0, page: StatusReport($0)) } }
        // Of a drive that shows several containers each is asked by itself.
        let shown = reports.indices.compactMap { index in mounts[index].showsApps ? nil : (try? reports[index].get())?.page.container.map { (index: index, container: $0) } }
        func fill(
            _ question: (_ container: String, _ report: DriveReport?) -> Child.Question,
            _ fill: (inout StatusReport, [JSON]) -> Void
        ) {
            let questions = shown.map { question($0.container, try? reports[$0.index].get()) }
            let replies = Child.ask(atOnce: Child.atWork, questions)
            for (shown, reply) in zip(shown, replies) {
                guard case .answer(let bytes) = reply, let answer = JSON(bytes) else { continue }
                reports[shown.index] = reports[shown.index].map { report in
                    var report = report
                    fill(&report.page, answer.elements)
                    return report
                }
            }
        }
        fill(conflicts) { $0.conflicts = $1.compactMap(\.string) }
        if withRoom {
            fill(room) { page, answer in
                let numbers = answer.compactMap(\.integer)
                guard numbers.count == 4 else { return }
                page.versions = StatusReport.Room(items: numbers[0], size: numbers[1])
                page.deleted = StatusReport.Room(items: numbers[2], size: numbers[3])
            }
        }
        return reports
    }

    /// What earlier versions and deleted items take.
    private static func room(in path: String, on _: DriveReport?) -> Child.Question {
        { () throws(Errno) in
            let container: Container, deleted: KeptSize
            do throws(Failure) { container = try Container.open(path, access: .read, creating: [], kinds: PersonsKinds.own.registry) } catch { throw error.errno }
            do throws(StateFault) { deleted = try container.deletedRoom() } catch { throw error.errno }
            let numbers = [try container.versionsRoom(), deleted].flatMap { [Int64($0.items), $0.size] }
            return Array(JSON.array(numbers.map(JSON.integer)).line.utf8)
        }
    }

    /// The documents that wait for a decision; not known where this user cannot know, or not in time. All of the container is looked at.
    private static func conflicts(in path: String, on report: DriveReport?) -> Child.Question {
        let mountpoint = report?.mount.mountpoint ?? "", options = StatusSource.showing(report?.json)
        return { () throws(Errno) in
            let container: Container
            do throws(Failure) {
                let kinds = PersonsKinds.own.registry
                container = try Container.open(path, access: .read, options: options, creating: [], kinds: kinds)
            } catch { throw error.errno }
            var files: [String] = []
            for document in try container.conflictedDocuments() {
                // Of several with one title each is called otherwise on the drive.
                let file = try? document.place.file(on: mountpoint)
                files.append(file ?? ([mountpoint] + (document.place.path + [document.shown]).map { String(decoding: $0.bytes, as: UTF8.self) }).joined(separator: "/"))
            }
            return Array(JSON.array(files.sorted().map(JSON.string)).line.utf8)
        }
    }

    func text(details: Bool) -> String { page.text(mountpoint: mount.mountpoint, clock: .current, details: details) }
}
