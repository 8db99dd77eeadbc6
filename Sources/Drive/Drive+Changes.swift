import LinuxFiles

// What changes the container. A drive that is read-only says so.
extension Drive {
    public func write(_ handle: HandleID, at offset: Int64, count: Int, _ transfer: (Int32, Int64) throws(Errno) -> Int) throws(Errno) -> Int { throw .readOnly }
    public func flush(_ handle: HandleID) throws(Errno) {}
    public func sync(_ handle: HandleID, dataOnly: Bool) throws(Errno) {}
    public func allocate(_ handle: HandleID, mode: Int32, offset: Int64, length: Int64) throws(Errno) { throw .readOnly }
    public func copyRange(from: HandleID, at fromOffset: Int64, to: HandleID, at toOffset: Int64, count: Int) throws(Errno) -> Int { throw .readOnly }

    public func setAttributes(of node: NodeID, _ change: AttributeChange, handle: HandleID?, caller: Caller) throws(Errno) -> Attributes { throw .readOnly }
    public func makeNode(_ name: Name, in folder: NodeID, mode: UInt32, device: UInt64, caller: Caller) throws(Errno) -> Entry { throw .readOnly }
    public func makeFolder(_ name: Name, in folder: NodeID, mode: UInt32, caller: Caller) throws(Errno) -> Entry { throw .readOnly }
    public func makeSymbolicLink(_ name: Name, in folder: NodeID, to target: [UInt8], caller: Caller) throws(Errno) -> Entry { throw .readOnly }
    public func link(_ node: NodeID, as name: Name, in folder: NodeID) throws(Errno) -> Entry { throw .readOnly }
    public func create(_ name: Name, in folder: NodeID, mode: UInt32, flags: Int32, caller: Caller) throws(Errno) -> (Entry, Opened) { throw .readOnly }
    public func unlink(_ name: Name, in folder: NodeID) throws(Errno) { throw .readOnly }
    public func removeFolder(_ name: Name, in folder: NodeID) throws(Errno) { throw .readOnly }
    public func rename(_ name: Name, in folder: NodeID, to newName: Name, in newFolder: NodeID, flags: UInt32) throws(Errno) { throw .readOnly }
    public func setExtendedAttribute(_ name: [UInt8], of node: NodeID, to value: [UInt8], flags: Int32) throws(Errno) { throw .readOnly }
    public func removeExtendedAttribute(_ name: [UInt8], of node: NodeID) throws(Errno) { throw .readOnly }
}
