/// Colours, where what is written goes to a terminal.
public struct Paint: Sendable {
    private let isOn: Bool

    public static let none = Paint(isOn: false)

    public init(isOn: Bool) { self.isOn = isOn }

    /// For a terminal, if nobody has said that they want none: see no-color.org.
    public init(isTerminal: Bool, noColor: String?, terminal: String?) {
        isOn = isTerminal && (noColor ?? "").isEmpty && terminal != "dumb"
    }

    public func fault(_ text: String) -> String { painted(text, "31") }
    public func warning(_ text: String) -> String { painted(text, "33") }
    public func good(_ text: String) -> String { painted(text, "32") }
    public func heading(_ text: String) -> String { painted(text, "1") }

    private func painted(_ text: String, _ code: String) -> String { isOn && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[m" : text }
}
