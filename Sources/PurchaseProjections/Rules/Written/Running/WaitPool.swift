import PurchaseEvents

/// An event that waits for another.
struct Wait: Sendable {
    var mark: RuleMark
    var subject: RuleSubject
    @Packed var account: AccountID<Interned>?
    /// The value that the other event's is compared with, in a rule with a relation.
    let value: Int64
    /// The next wait in each list, as its index plus one; 0 at the end.
    fileprivate var next = SIMD4<UInt32>(repeating: 0)
    /// The number of lists that contain the wait.
    fileprivate var holders: UInt8 = 0
    fileprivate var isOpen = true

    init(mark: RuleMark, subject: RuleSubject, account: AccountID<Interned>?, value: Int64) {
        (self.mark, self.subject, self.value) = (mark, subject, value)
        self.account = account
    }
}

/// The waiting events of a rule, in lists by the kind of event that ends a wait.
///
/// An ended wait stays in its other lists until those are next traversed.
struct WaitPool: Sendable {
    /// The lists, by the kind of event that ends their waits.
    enum List: Int, Sendable { case other, before, unless, device }

    private var waits: [Wait] = []
    /// The index of the first free wait plus one, or 0; free waits are linked through their first
    /// list.
    private var free: UInt32 = 0
    private var openCount = 0
    /// The index plus one of the first wait of each list, by slot.
    private var heads: [DenseTable<UInt32>]
    /// The lists of `before` and `unless`; `nil` if the rule has no such clause.
    let before: List?, unless: List?
    private let byDevice: Bool

    init(before: List?, unless: List?, byDevice: Bool) {
        (self.before, self.unless, self.byDevice) = (before, unless, byDevice)
        heads = (0..<4).map { _ in DenseTable(0) }
    }

    /// Whether nothing is waiting.
    var isEmpty: Bool { openCount == 0 }

    /// All open waits.
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
        push(index, .other, other)
        if before == .before, beforeSlot != 0 { push(index, .before, beforeSlot) }
        if unless == .unless, unlessSlot != 0 { push(index, .unless, unlessSlot) }
        if byDevice { push(index, .device, Int(wait.mark.device)) }
    }

    @inline(__always)
    private mutating func push(_ index: Int, _ list: List, _ slot: Int) {
        waits[index].next[list.rawValue] = heads[list.rawValue][slot]
        waits[index].holders &+= 1
        heads[list.rawValue][slot] = UInt32(truncatingIfNeeded: index &+ 1)
    }

    /// Ends and returns the waits under an event's slots that the event answers.
    mutating func end(
        _ list: List, _ slots: JoinKey.Slots, where isAnswered: (Wait) -> Bool = { _ in true }
    ) -> InlineList<Wait> {
        var ended = InlineList<Wait>()
        if slots.own != 0 { end(list, slots.own, &ended, where: isAnswered) }
        if slots.other != 0 { end(list, slots.other, &ended, where: isAnswered) }
        if slots.third != 0 { end(list, slots.third, &ended, where: isAnswered) }
        return ended
    }

    /// Ends the waits of a device that meet a condition, and returns them.
    mutating func end(device: Int, where isOver: (Wait) -> Bool) -> InlineList<Wait> {
        var ended = InlineList<Wait>()
        end(.device, device, &ended, where: isOver)
        return ended
    }

    private mutating func end(
        _ list: List, _ slot: Int, _ ended: inout InlineList<Wait>, where isOver: (Wait) -> Bool
    ) {
        var node = heads[list.rawValue][slot]
        guard node != 0 else { return }
        heads[list.rawValue][slot] = 0
        while node != 0 {
            let index = Int(node) - 1
            node = waits[index].next[list.rawValue]
            waits[index].holders &-= 1
            if waits[index].isOpen {
                guard isOver(waits[index]) else {
                    push(index, list, slot)
                    continue
                }
                ended.append(waits[index])
                waits[index].isOpen = false
                openCount &-= 1
            }
            if waits[index].holders == 0 {
                waits[index].next[0] = free
                free = UInt32(truncatingIfNeeded: index &+ 1)
            }
        }
    }
}
