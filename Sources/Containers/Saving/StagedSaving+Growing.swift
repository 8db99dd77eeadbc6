import Documents
import LinuxFiles
import Transactions

// Packages that programs fill on a drive file by file: they grow beside their places, under names of their own (`GrowingName.swift`), and come into them whole.
extension StagedSaving {
    /// In the lanes of the folder, of the document and of what grows.
    func placeGrown(_ stored: Name, since base: BaseStamp?, in address: Address) throws(Errno) -> Outcome {
        guard let growing = GrowingName.of(stored) else { throw .nameTooLong }
        let target = ItemPlace(folder: address.folder, path: address.path, stored: stored)
        return try place(Coming(grown: growing, beside: target, as: staging.nextHandedOver()), .programs(since: base), target)
    }

    // MARK: Equal packages

    /// Whether two packages have the same parts, but for a thumbnail that only the document has: that is made of it.
    func isSame(_ coming: Coming, as target: ItemPlace) throws(Errno) -> Bool {
        if try ItemTree.isSame(coming.name, in: coming.folder.descriptor, as: target.stored, in: target.folder.descriptor) { return true }
        guard let kind = container.reader.candidate(for: target.stored, isFolder: true), let thumbnails = kind.kind.thumbnails,
            try target.folder.descriptor.status(of: target.stored).type == .folder
        else { return false }
        let new = try coming.folder.descriptor.open(coming.name, [.path, .folder]), old = try target.folder.descriptor.open(target.stored, [.path, .folder])
        let names = try Container.names(in: new), parts = try kind.partNames(in: old)
        guard parts.indices.contains(thumbnails.part), try Set(names) == Set(Container.names(in: old)) else { return false }
        let part = parts[thumbnails.part]
        do throws(DocumentFault) {
            guard let (file, facts) = try ItemReader.openPart(part, in: new, untraced: true), let (oldFile, oldFacts) = try ItemReader.openPart(part, in: old, untraced: true)
            else { return false }
            let without = FileSource(file, byteCount: facts.size), with = FileSource(oldFile, byteCount: oldFacts.size)
            guard thumbnails.isAwaited(without), try thumbnails.range(in: with) != nil else { return false }
            let one = try thumbnails.setting([], in: without, spelling: nil), other = try thumbnails.setting([], in: with, spelling: nil)
            guard one == other else { return false }
        } catch { return false }
        for name in names where name != part { guard try ItemTree.isSame(name, in: new, as: name, in: old) else { return false } }
        return true
    }

    /// Nothing is replaced by what is equal: the document stays, with the permissions, times and attributes that the programs have given the other one.
    func keepAsItIs(_ coming: Coming, _ target: ItemPlace) throws(Errno) -> Outcome {
        take(attributesOf: coming.name, in: coming.folder.descriptor, for: target.stored, in: target.folder.descriptor, depth: 0)
        var plan = Plan()
        plan.know(target.folder, at: target.path)
        plan.know(staging.folder, at: [], of: .staging)
        plan.steps = coming.first + [.remove(.staged(coming.own))]
        try plans.carryOut(plan)
        return Outcome(stored: target.stored, isUnchanged: true)
    }

    /// What cannot be set stays as it is. A folder comes after what is in it.
    private func take(attributesOf one: Name, in folder: borrowing Descriptor, for other: Name, in home: borrowing Descriptor, depth: Int) {
        guard depth < ItemTree.deepest, let status = try? folder.status(of: one), status.type == .regular || status.type == .folder,
            let there = try? home.status(of: other), there.type == status.type
        else { return }
        let flags: OpenFlags = status.type == .folder ? [.read, .folder] : [.read, .nonBlocking]
        guard let new = try? OpenFile(folder.openUntraced(one, flags)), let old = try? OpenFile(home.openUntraced(other, flags)) else { return }
        if status.type == .folder {
            for name in (try? Container.names(in: new.descriptor)) ?? [] {
                take(attributesOf: name, in: new.descriptor, for: name, in: old.descriptor, depth: depth + 1)
            }
        }
        dress(old, like: status, new)
    }

    // MARK: The package's folder

    /// A folder with what it is to have.
    struct FolderAttributes {
        let name: Name
        let status: FileStatus
        let holder: OpenFile

        init(_ name: Name, in folder: OpenFile) throws(Errno) {
            (self.name, status) = (name, try folder.descriptor.status(of: name))
            holder = OpenFile(try folder.descriptor.open(name, [.path, .folder]))
        }
    }

    /// Before the plan, which takes everything out of it: the package's own folder, and those in it that lead to the
    /// content.
    func attributesOfFolders(_ coming: Coming, _ kind: KindID?) throws(Errno) -> [FolderAttributes] {
        var all = [try FolderAttributes(coming.name, in: coming.folder)]
        for name in kind?.form?.folders ?? [] { all.append(try FolderAttributes(name, in: all[all.count - 1].holder)) }
        return all
    }

    /// The document's folders stay, and get what the programs have given the other ones. Their times are others after
    /// each step of the plan.
    func dressFolders(_ target: ItemPlace, _ attributes: [FolderAttributes]) {
        var place = target.folder, found: [(OpenFile, FolderAttributes)] = []
        for (depth, own) in attributes.enumerated() {
            guard let folder = try? place.descriptor.openUntraced(depth == 0 ? target.stored : own.name, [.read, .folder]) else { break }
            place = OpenFile(folder)
            found.append((place, own))
        }
        for (folder, own) in found.reversed() { dress(folder, like: own.status, own.holder) }
    }

    /// The owner stays.
    private func dress(_ file: OpenFile, like wanted: FileStatus, _ holder: OpenFile) {
        guard let now = try? file.descriptor.status() else { return }
        var status = wanted
        (status.owner, status.group) = (now.owner, now.group)
        try? attributes.dress(file.descriptor, like: status, [holder])
    }

    // MARK: A copy that grows

    /// In the lanes of the folder and of the document.
    func copyToGrow(_ stored: Name, in address: Address) throws(Errno) -> Outcome {
        guard let growing = GrowingName.of(stored) else { throw .nameTooLong }
        guard try !address.folder.descriptor.exists(growing) else { throw .exists }
        // Only what is whole has the name.
        let copy = Name.staged(staging.nextNumber(), ".copy")
        do throws(Errno) {
            try ItemTree.copy(stored, in: address.folder, as: copy, in: staging.folder, attributes)
            var plan = Plan()
            plan.know(address.folder, at: address.path)
            plan.know(staging.folder, at: [], of: .staging)
            plan.steps = [.add(.staged(copy), .item(growing, in: address.path))]
            try plans.carryOut(plan)
        } catch {
            try? staging.remove(copy)
            throw error
        }
        return Outcome(stored: growing)
    }
}
