import PropertyLists

extension DocumentFault {
    /// What a fault of an archive means for the document that it is.
    init(_ fault: PropertyListFault) {
        switch fault {
        case .foreign(let sentence): self = .foreign(sentence)
        case .damaged(let sentence), .excessive(let sentence): self = .damaged(sentence)
        case .unreadable(let failure): self = .unreadable(failure.errno)
        }
    }
}

/// Runs work on an archive, its faults told as a document's.
func reading<Value>(_ work: () throws(PropertyListFault) -> Value) throws(DocumentFault) -> Value {
    do throws(PropertyListFault) { return try work() } catch { throw DocumentFault(error) }
}

/// The same, where what is broken counts as missing; bytes that could not be read still are a fault.
func unlessBroken<Value>(_ work: () throws(PropertyListFault) -> Value?) throws(PropertyListFault) -> Value? {
    do throws(PropertyListFault) {
        return try work()
    } catch {
        if case .unreadable = error { throw error }
        return nil
    }
}

extension ByteSource {
    /// A few bytes, their failure told as a document's.
    func few(at offset: Int64, count: Int) throws(DocumentFault) -> [UInt8] {
        do throws(SourceFailure) { return try bytes(at: offset, count: count) } catch { throw .unreadable(error.errno) }
    }
}

extension BinaryPropertyList {
    /// The same of a list's source.
    func few(of image: ByteRange, atMost count: Int) throws(DocumentFault) -> [UInt8] {
        do throws(SourceFailure) { return try few(at: image.offset, count: Int(min(image.length, Int64(count)))) } catch { throw .unreadable(error.errno) }
    }
}
