import Testing

@testable import Drive

/// The hash table of a folder's names, beside a dictionary.
@Suite struct NameIndexTests {
    @Test func findsWhatADictionaryFinds() {
        var generator = SystemRandomNumberGenerator()
        var names: [NodeNumber: [UInt8]] = [:]
        var index = NameIndex<NodeNumber>()
        for step in 0..<20_000 {
            let id = NodeNumber(UInt32(step + 1))
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
        var seen: Set<NodeNumber> = []
        index.forEach { seen.insert($0) }
        #expect(seen == Set(names.keys))
    }

    @Test func namesOfTheSameHashAreToldApart() {
        var index = NameIndex<NodeNumber>()
        let ids = (1...100).map { NodeNumber($0) }
        for id in ids { index.insert(id, 7) { _ in 7 } }
        for id in ids { #expect(index.find(7, where: { $0 == id }) == id) }
        for id in ids where id.rawValue % 2 == 1 { index.remove(id, 7) }
        for id in ids { #expect((index.find(7, where: { $0 == id }) != nil) == (id.rawValue % 2 == 0)) }
    }
}
