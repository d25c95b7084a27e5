// Copies of generic values. A debug build looks up the types of everything that a generic value may
// hold, all cases of ``Fact`` for an event, wherever it copies the value. These functions know no
// more of the value than that it is one, so its own type copies it.

/// Copies a value as its type does.
@inlinable
@inline(__always)
func copy<Value>(of value: Value) -> Value { value }

/// Assigns a value as its type does.
@inline(__always)
func set<Value>(_ place: inout Value, to value: () -> Value) { place = value() }

/// Calls a function with memory for one value, and moves its result as its type does.
@inline(__always)
func withPlace<Value, Result>(
    of type: Value.Type, _ body: (UnsafeMutableBufferPointer<Value>) -> Result
) -> Result {
    withUnsafeTemporaryAllocation(of: type, capacity: 1, body)
}
