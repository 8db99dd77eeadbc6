/// What happened lately, by what it happened to. Nothing depends on it: beyond so many, all is forgotten, and is found out again or done without.
package struct RecentTable<Key: Hashable & Sendable, Value: Sendable>: ~Copyable, Sendable {
    @usableFromInline let table = Locked<[Key: Value]>([:])
    @usableFromInline let most: Int

    @inlinable
    package init(most: Int) { self.most = most }

    /// nil is set to forget it.
    @inlinable
    package subscript(key: Key) -> Value? {
        get { table.withLock { $0.isEmpty ? nil : $0[key] } }
        nonmutating set { change(key) { $0 = newValue } }
    }

    @inlinable
    package func take(_ key: Key) -> Value? { table.withLock { $0.isEmpty ? nil : $0.removeValue(forKey: key) } }

    /// Nobody else changes it meanwhile.
    @inlinable
    package func change<Result>(_ key: Key, _ body: (inout Value?) -> Result) -> Result {
        table.withLock { table in
            var value = table.isEmpty ? nil : table[key]
            let result = body(&value)
            if let value {
                if table.count >= most, table[key] == nil { table = [:] }
                table[key] = value
            } else if !table.isEmpty {
                table[key] = nil
            }
            return result
        }
    }
}
