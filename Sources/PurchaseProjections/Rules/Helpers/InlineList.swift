import PurchaseEvents

/// A list whose first element is stored inline and the rest in an array.
///
/// Most lists have at most one element, so most need no allocation.
struct InlineList<Element: Sendable>: Sendable, RandomAccessCollection, MutableCollection {
    fileprivate var head: Element?
    fileprivate var others: [Element] = []

    init() {}

    init(_ elements: [Element]) {
        head = elements.first
        others = Array(elements.dropFirst())
    }

    var startIndex: Int { 0 }

    var endIndex: Int { head == nil ? 0 : others.count &+ 1 }

    subscript(index: Int) -> Element {
        get {
            guard index == 0 else { return others[index - 1] }
            guard let head else { preconditionFailure("index into an empty list") }
            return head
        }
        set {
            precondition(indices.contains(index), "an index of the list")
            if index == 0 { head = newValue } else { others[index - 1] = newValue }
        }
    }

    mutating func append(_ element: Element) {
        if head == nil { head = element } else { others.append(element) }
    }

    /// Removes all elements, and releases the memory of a long list.
    mutating func removeAll() {
        head = nil
        if others.capacity > 8 {
            others = []
        } else if !others.isEmpty {
            others.removeAll(keepingCapacity: true)
        }
    }

    /// Removes all but the first `count` elements.
    mutating func cut(to count: Int) {
        guard count < self.count else { return }
        guard count > 0 else { return removeAll() }
        others.removeLast(others.count &+ 1 &- count)
    }
}

extension FieldVisitor {
    /// Visits the elements of a list as their bytes.
    @discardableResult
    func visit<Element: BitwiseCopyable & Sendable>(_ list: inout InlineList<Element>)
        -> FieldVisitor
    {
        visit(&list.head)
        visit(&list.others)
        return self
    }
}
