import Containers
import LinuxFiles
import Shell

/// `valise init`: makes a folder a container.
func initVerb(_ arguments: Arguments) throws(Stop) -> Int32 {
    let folder = arguments.operands[0]
    try NestedContainers.checkNew(folder)
    let kinds: [String]?
    do throws(UsageFault) {
        let lists = arguments.values(of: .create)
        kinds = lists.isEmpty ? nil : try DocumentKindWords.parse(lists.joined(separator: ","))
    } catch { throw Stop(error) }
    do throws(Failure) {
        try NewContainer.make(at: folder, kinds: kinds, samples: arguments.has(.samples))
    } catch { throw Stop(1, error.sentence) }
    printUnlessQuiet("\(quoted(folder)) is a container; to see it as a drive: valise mount \(shellWord(folder)) MOUNTPOINT\n", arguments)
    return 0
}
