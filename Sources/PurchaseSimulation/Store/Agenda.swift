import PurchaseEvents

/// Planned tasks, ordered by time and, at equal times, by the order of planning.
struct Agenda<Task> {
    private struct Entry {
        var time: Int64
        var order: UInt64
        var slot: Int32

        func isBefore(_ other: Entry) -> Bool { (time, order) < (other.time, other.order) }
    }

    /// A binary heap of small entries; the tasks are stored separately, so that sifting is cheap.
    private var heap: [Entry] = []
    private var tasks: [Task?] = []
    private var free: [Int32] = []
    private var order: UInt64 = 0

    mutating func plan(_ task: Task, at time: Int64) {
        let slot: Int32
        if let last = free.popLast() {
            slot = last
            tasks[Int(slot)] = task
        } else {
            slot = Int32(tasks.count)
            tasks.append(task)
        }
        order += 1
        heap.append(Entry(time: time, order: order, slot: slot))
        siftUp()
    }

    /// The time of the next task, or `nil` if none is planned.
    var earliest: Int64? { heap.first?.time }

    mutating func next() -> (time: Int64, task: Task)? {
        guard let first = heap.first, let task = tasks[Int(first.slot)] else { return nil }
        tasks[Int(first.slot)] = nil
        free.append(first.slot)
        let last = heap.removeLast()
        if !heap.isEmpty {
            heap[0] = last
            siftDown()
        }
        return (first.time, task)
    }

    private mutating func siftUp() {
        var place = heap.count - 1
        let entry = heap[place]
        while place > 0 {
            let parent = (place - 1) / 2
            guard entry.isBefore(heap[parent]) else { break }
            heap[place] = heap[parent]
            place = parent
        }
        heap[place] = entry
    }

    private mutating func siftDown() {
        var place = 0
        let entry = heap[0]
        while true {
            var child = place * 2 + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, heap[child + 1].isBefore(heap[child]) { child += 1 }
            guard heap[child].isBefore(entry) else { break }
            heap[place] = heap[child]
            place = child
        }
        heap[place] = entry
    }
}
