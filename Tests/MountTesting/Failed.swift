/// A step that a test rests on went wrong; what it says is all there is to know.
public struct Failed: Error, CustomStringConvertible {
    public let description: String
    public init(_ description: String) { self.description = description }
}
