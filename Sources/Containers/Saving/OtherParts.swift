import LinuxFiles

/// Parts of a package that come along with its content and that no kind writes: folders with all in them, and files of which there may be several.
struct OtherParts {
    /// What comes, as it lies in staging, and what it is called in the document.
    var coming: [(staged: Name, part: Name)] = []
    /// What is in the document now and goes.
    var going: [Name] = []

    /// Adds the steps with which they change places in the document, which is `home` till then. What went is there until the plan has ended: as
    /// long as it is, nobody who carries the plan on takes away what came.
    func exchange(in home: Place, _ plan: inout Plan, number: () -> UInt64) {
        for part in going {
            let gone = Name.staged(number(), ".gone")
            plan.steps.append(.move(home.part(part), .staged(gone)))
            plan.discarded.append(gone)
        }
        plan.steps += coming.map { .add(.staged($0.staged), home.part($0.part)) }
    }
}
