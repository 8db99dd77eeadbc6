/// A name that somebody gave, and the number by which it is told from another item's. Names are bytes.
public struct ItemName: Hashable, Sendable {
    public let wished: [UInt8]
    /// 0: none.
    public let number: UInt32

    public static let longest = 255

    public init(_ wished: [UInt8], number: UInt32 = 0) { (self.wished, self.number) = (wished, number) }

    /// With the number before the extension.
    public var shown: [UInt8] {
        guard number > 0 else { return wished }
        let digits = Array(" \(number)".utf8)
        // A name that only begins with a dot has no extension.
        guard let dot = wished.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return wished + digits }
        return wished[..<dot] + digits + wished[dot...]
    }

    public func numbered(_ number: UInt32) -> ItemName { ItemName(wished, number: number) }
}

extension ItemName: CustomStringConvertible {
    public var description: String { String(decoding: shown, as: UTF8.self) }
}
