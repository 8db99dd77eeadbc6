import CWindow

/// What comes with a signal of a part.
@MainActor
public struct SignalValue {
    public let number: Int
    public let text: String?
    public let part: Part?
}

/// A part of a screen: a widget, an action, a text's buffer. It has properties, by their names in GTK's documentation, and signals.
/// All of GTK is called from here and the files beside this one: whoever makes a window has no pointer in hand.
@MainActor
public final class Part {
    let object: OpaquePointer

    /// `owned`: nobody else gives it back.
    init(owned object: OpaquePointer) { self.object = object }

    init(borrowed object: OpaquePointer) {
        CWindow_keep(object)
        self.object = object
    }

    isolated deinit { CWindow_release(object) }

    // MARK: Properties

    public func set(_ property: String, _ text: String) { CWindow_set_text(object, property, text) }
    public func set(_ property: String, _ number: Int) { CWindow_set_number(object, property, Int64(number)) }
    public func set(_ property: String, _ flag: Bool) { CWindow_set_number(object, property, flag ? 1 : 0) }
    public func set(_ property: String, _ part: Part?) { CWindow_set_object(object, property, part?.object) }

    public func text(_ property: String) -> String { Self.taken(CWindow_text(object, property)) }
    public func number(_ property: String) -> Int { Int(CWindow_number(object, property)) }
    public func flag(_ property: String) -> Bool { CWindow_number(object, property) != 0 }

    public func part(_ property: String) -> Part? { CWindow_object(object, property).map { Part(owned: $0) } }

    static func taken(_ text: UnsafeMutablePointer<CChar>?) -> String {
        guard let text else { return "" }
        defer { CWindow_free(text) }
        return String(cString: text)
    }

    // MARK: Signals

    /// What is called may hold this part: a window that is destroyed forgets its calls.
    public func on(_ signal: String, _ call: @escaping @MainActor () -> Void) {
        on(signal) { _ in
            call()
            return false
        }
    }

    /// Answers whether the signal's other handlers are to be left out, where that is what it asks.
    public func on(_ signal: String, answering call: @escaping @MainActor ([SignalValue]) -> Bool) {
        CWindow_connect(object, signal, SignalCall.function, SignalCall(call).context, SignalCall.end)
    }

    // MARK: Widgets

    /// A key that is pressed here, `Delete` say, where nothing in it takes that.
    public func key(_ keys: String, _ call: @escaping @MainActor () -> Void) {
        let call = SignalCall { _ in
            call()
            return true
        }
        CWindow_add_key(object, keys, SignalCall.function, call.context, SignalCall.end)
    }

    /// Files that are dropped on it.
    public func acceptFiles(_ dropped: @escaping @MainActor ([String]) -> Void) {
        let call = SignalCall { files in
            dropped(files.compactMap(\.text))
            return true
        }
        CWindow_accept_files(object, SignalCall.function, call.context, SignalCall.end)
    }

    /// A GtkSearchBar opens when somebody types in the window, and its entry has what was typed.
    public func keys(of window: Part, to entry: Part) { CWindow_search_keys(object, window.object, entry.object) }

    @discardableResult
    public func focus() -> Bool {
        AwaitedFocus.clear()
        return CWindow_focus(object)
    }
    public var hasFocus: Bool { CWindow_has_focus(object) }
}

/// Swift's side of a signal: it lives as long as the connection.
@MainActor
final class SignalCall {
    private let call: ([SignalValue]) -> Bool

    init(_ call: @escaping @MainActor ([SignalValue]) -> Bool) { self.call = call }

    var context: UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }

    var unowned: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static let function: CWindowCall = { context, values, count in
        // GTK calls from its loop alone, which is the main thread's.
        nonisolated(unsafe) let context = context, values = values
        return MainActor.assumeIsolated {
            let given = UnsafeBufferPointer(start: values, count: count).map { value in
                SignalValue(number: Int(value.number), text: value.text.map { String(cString: $0) }, part: value.object.map { Part(borrowed: $0) })
            }
            return Unmanaged<SignalCall>.fromOpaque(context).takeUnretainedValue().call(given)
        }
    }

    static let end: CWindowEnd = { Unmanaged<SignalCall>.fromOpaque($0).release() }
}
