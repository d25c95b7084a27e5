import PurchaseEvents

/// An event that waits for another.
struct Wait: Sendable {
    var mark: RuleMark
    var subject: RuleSubject
    @Packed var account: AccountHandle?
    /// The value that the other event's is compared with, in a rule with a relation.
    let value: Int64
    /// The next wait in each list, as its index plus one; 0 at the end.
    fileprivate var next = SIMD4<UInt32>(repeating: 0)
    /// The number of lists that contain the wait.
    fileprivate var holders: UInt8 = 0
    fileprivate var isOpen = true

    init(mark: RuleMark, subject: RuleSubject, account: AccountHandle?, value: Int64) {
        (self.mark, self.subject, self.value) = (mark, subject, value)
        self.account = account
    }
}

/// The waiting events of a rule, in lists by the kind of event that ends a wait.
///
/// An ended wait stays in its other lists until those are next traversed.
struct WaitPool: Sendable, Snapshotted {
    /// The lists, by the kind of event that ends their waits.
    enum List: Int, Sendable { case other, before, unless, device }

    private var waits: [Wait] = []
    /// The index of the first free wait plus one, or 0; free waits are linked through their first
    /// list.
    private var free: UInt32 = 0
    private var openCount = 0
    /// The index plus one of the first wait of each list, by slot.
    private var heads: [DenseTable<UInt32>]
    /// In a rule with a relation, the indices of the waits by value: from the least, and from the
    /// greatest.
    private var ascending = DenseTable(EarliestQueue())
    private var descending = DenseTable(EarliestQueue())
    /// The slot of each device and launch that ends waits.
    private var launchSlots = HandleMap<UInt32>(0)
    private var launchSlotCount: UInt32 = 0

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&waits).visit(&free).visit(&openCount)
        for index in heads.indices { visitor.visit(&heads[index]) }
        visitor.visit(&ascending).visit(&descending).visit(&launchSlots).visit(&launchSlotCount)
    }
    /// The lists of `before` and `unless`; `nil` if the rule has no such clause.
    let before: List?, unless: List?
    /// The order of the rule's relation; `nil` if the rule has none.
    private let order: RuleRelation.Order?
    /// The number of launches that end a wait; `nil` if launches don't.
    private let launches: UInt32?

    init(before: List?, unless: List?, order: RuleRelation.Order?, launches: UInt32?) {
        (self.before, self.unless, self.order, self.launches) = (before, unless, order, launches)
        heads = (0..<4).map { _ in DenseTable(0) }
    }

    var isEmpty: Bool { openCount == 0 }

    var all: [Wait] { waits.filter { $0.isOpen && $0.holders > 0 } }

    /// Adds a wait under the slots of the events that can end it.
    mutating func add(_ wait: Wait, other: Int, before beforeSlot: Int, unless unlessSlot: Int) {
        let index: Int
        if free == 0 {
            index = waits.count
            waits.append(wait)
        } else {
            index = Int(free) - 1
            free = waits[index].next[0]
            waits[index] = wait
        }
        openCount &+= 1
        if order == nil { push(index, .other, other) } else { sort(index, other) }
        if before == .before, beforeSlot != 0 { push(index, .before, beforeSlot) }
        if unless == .unless, unlessSlot != 0 { push(index, .unless, unlessSlot) }
        guard let launches else { return }
        let key = HandleKey(wait.mark.device, wait.mark.launches &+ launches)
        if launchSlots[key] == nil {
            launchSlotCount &+= 1
            launchSlots[key] = launchSlotCount
        }
        push(index, .device, Int(launchSlots[orEmpty: key]))
    }

    /// Adds a wait to the queues of its slot.
    private mutating func sort(_ index: Int, _ slot: Int) {
        let (value, place) = (waits[index].value, UInt32(truncatingIfNeeded: index))
        if order != .earlier {
            ascending[slot].add(place, at: value)
            waits[index].holders &+= 1
        }
        if order != .later {
            descending[slot].add(place, at: ~value)
            waits[index].holders &+= 1
        }
    }

    @inline(__always)
    private mutating func push(_ index: Int, _ list: List, _ slot: Int) {
        waits[index].next[list.rawValue] = heads[list.rawValue][slot]
        waits[index].holders &+= 1
        heads[list.rawValue][slot] = UInt32(truncatingIfNeeded: index &+ 1)
    }

    /// Ends and returns the waits of a list under an event's slots.
    mutating func end(_ list: List, _ slots: JoinKey.Slots) -> InlineList<Wait> {
        var ended = InlineList<Wait>()
        for slot in [slots.own, slots.other, slots.third] where slot != 0 {
            end(list, slot, &ended)
        }
        return ended
    }

    /// Ends and returns the waits under an event's slots whose values have the rule's relation to
    /// the event's value.
    mutating func end(related value: Int64, _ slots: JoinKey.Slots) -> InlineList<Wait> {
        var ended = InlineList<Wait>()
        for slot in [slots.own, slots.other, slots.third] where slot != 0 {
            if order != .earlier, value > .min {
                while let index = ascending[slot].next(upTo: value - 1) { end(index, &ended) }
            }
            // The complement reverses the order of all numbers.
            if order != .later, ~value > .min {
                while let index = descending[slot].next(upTo: ~value - 1) { end(index, &ended) }
            }
        }
        return ended
    }

    /// Ends and returns the waits whose launches run out with a device's launch.
    mutating func end(device: Int, launch: UInt32) -> InlineList<Wait> {
        var ended = InlineList<Wait>()
        let key = HandleKey(UInt32(truncatingIfNeeded: device), launch)
        guard let slot = launchSlots.remove(key) else { return ended }
        end(.device, Int(slot), &ended)
        return ended
    }

    private mutating func end(_ list: List, _ slot: Int, _ ended: inout InlineList<Wait>) {
        var node = heads[list.rawValue][slot]
        guard node != 0 else { return }
        heads[list.rawValue][slot] = 0
        while node != 0 {
            let index = node - 1
            node = waits[Int(index)].next[list.rawValue]
            end(index, &ended)
        }
    }

    /// Ends a wait that left a list or queue; reuses its place once no other holds it.
    private mutating func end(_ place: UInt32, _ ended: inout InlineList<Wait>) {
        let index = Int(place)
        waits[index].holders &-= 1
        if waits[index].isOpen {
            ended.append(waits[index])
            waits[index].isOpen = false
            openCount &-= 1
        }
        if waits[index].holders == 0 {
            waits[index].next[0] = free
            free = place &+ 1
        }
    }
}
