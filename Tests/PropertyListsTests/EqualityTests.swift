import PropertyLists
import Testing

/// Values are the same where they are, also those that arithmetic calls different from themselves.
@Suite struct EqualityTests {
    @Test func whatIsNoNumberIsItself() {
        for make in [PropertyList.real, PropertyList.date] {
            let value = make(.nan)
            #expect(value == make(-.nan) && value != make(0) && make(0) == make(-0.0))
            #expect(PropertyList.array([value]) == .array([value]) && PropertyList.dictionary([.init("k", value)]) == .dictionary([.init("k", value)]))
            #expect(Set([value, make(-.nan), make(0), make(-0.0)]).count == 2)
        }
        #expect(PropertyList.real(.nan) != .date(.nan) && PropertyList.real(1) != .integer(1) && PropertyList.array([]) != .set([]))
    }
}
