import Testing

@testable import Drive

/// The hash table of a folder's names, beside a dictionary.
@Suite struct NameIndexTests {
    @Test func findsWhatADictionaryFinds() {
        var generator = SystemRandomNumberGenerator()
        var names: [UInt32: [UInt8]] = [:]
        var index = NameIndex()
        for step in 0..<20_000 {
            let id = UInt32(step + 1)
            if Bool.random(using: &generator) || names.isEmpty {
                let name = Array("name \(step % 3000) \(step)".utf8)
                names[id] = name
                index.insert(id, nameHash(name)) { nameHash(names[$0] ?? []) }
            } else if let (gone, name) = names.randomElement(using: &generator) {
                index.remove(gone, nameHash(name))
                names[gone] = nil
                #expect(index.find(nameHash(name), where: { names[$0] == name }) == nil)
            }
            #expect(index.count == names.count)
        }
        for (id, name) in names { #expect(index.find(nameHash(name), where: { names[$0] == name }) == id) }
        var seen: Set<UInt32> = []
        index.forEach { seen.insert($0) }
        #expect(seen == Set(names.keys))
    }

    @Test func namesOfTheSameHashAreToldApart() {
        var index = NameIndex()
        for id in 1...100 as ClosedRange<UInt32> { index.insert(id, 7) { _ in 7 } }
        for id in 1...100 as ClosedRange<UInt32> { #expect(index.find(7, where: { $0 == id }) == id) }
        for id in stride(from: 1, through: 99, by: 2) as StrideThrough<UInt32> { index.remove(id, 7) }
        for id in 1...100 as ClosedRange<UInt32> { #expect((index.find(7, where: { $0 == id }) != nil) == (id % 2 == 0)) }
    }
}
