/// Arrays as binary heaps: no element precedes the first one.
extension Array {
    mutating func push(_ element: Element, _ precedes: (Element, Element) -> Bool) {
        var place = count
        append(element)
        while place > 0, precedes(self[place], self[(place - 1) / 2]) {
            swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    /// Moves an element of a heap down, to below all elements that precede it.
    mutating func sift(from start: Int, _ precedes: (Element, Element) -> Bool) {
        var place = start
        while 2 * place + 1 < count {
            var child = 2 * place + 1
            if child + 1 < count, precedes(self[child + 1], self[child]) { child += 1 }
            guard precedes(self[child], self[place]) else { return }
            swapAt(place, child)
            place = child
        }
    }
}
