/// A value a handle: an array that grows to the handles that are written, and reads as empty past
/// its end.
struct DenseTable<Value: Sendable>: Sendable {
    private var values: [Value] = []
    private let empty: Value

    /// A table that holds `empty` at every index.
    init(_ empty: Value) { self.empty = empty }

    subscript(index: Int) -> Value {
        @inline(__always) get { index < values.count ? values[index] : empty }
        @inline(__always) _modify {
            while values.count <= index { values.append(empty) }
            yield &values[index]
        }
    }

    /// The indices that were written, and those below them.
    var indices: Range<Int> { values.indices }
}
