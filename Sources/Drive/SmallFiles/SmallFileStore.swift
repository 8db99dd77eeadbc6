import LinuxFiles

/// Where the files of a `SmallFileFolder` are kept: each is read and saved as a whole. It is asked by names that are none of
/// `EncodedName.isPassing`.
protocol SmallFileStore: Sendable {
    var area: ControlNode.Area { get }

    func names() throws(Errno) -> [Name]
    func folderStatus() throws(Errno) -> FileStatus
    /// What a file is like that is not kept yet.
    func newStatus() throws(Errno) -> FileStatus
    /// nil where there is no such file.
    func status(of name: Name) throws(Errno) -> FileStatus?
    func bytes(of name: Name) throws(Errno) -> [UInt8]?

    /// Throws unless the caller may use what is kept so.
    func check(_ wanted: FileRights, _ caller: Caller) throws(Errno)
    /// Throws where no file can be called so.
    func checkNew(_ name: Name) throws(Errno)
    /// The length that no file may exceed, in bytes.
    var mostBytes: Int64 { get }

    /// Throws where nothing that begins so, and is `size` bytes long by now, can be kept by this name. `type`: one that was set.
    func checkWriting(_ beginning: [UInt8], _ size: Int64, as name: Name, type: String?) throws(Failure)

    /// Checks all of it and keeps it, or leaves what was there.
    func save(_ bytes: [UInt8], as name: Name, type: String?) throws(Failure)
    func remove(_ name: Name) throws(Failure)
    /// A file has another name, and is in the place of what had that.
    func move(_ name: Name, to new: Name) throws(Failure)

    /// What a file's content is, where there are several kinds.
    func type(of name: Name) throws(Errno) -> String?
    /// Throws where there is no such type.
    func checkType(_ type: String) throws(Errno)
    /// The same content as another type.
    func setType(_ type: String, of name: Name) throws(Failure)
    /// What is wrong with all of it; nil where nothing is.
    func fault() throws(Errno) -> String?
}

extension SmallFileStore {
    func checkWriting(_ beginning: [UInt8], _ size: Int64, as name: Name, type: String?) throws(Failure) {}
}
