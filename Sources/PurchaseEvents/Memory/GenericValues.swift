// Copies of generic values. Where generic code copies a value, a debug build looks up the types of
// everything that the value may hold: for an event, those of all cases of ``Fact``. These functions
// don't know what the value is, so they leave the copy to the value's own type.

/// Copies a value as its type does.
@inlinable
@inline(__always)
func copy<Value>(of value: Value) -> Value { value }

/// Assigns the result of a function as its type does.
@inline(__always)
func set<Value>(_ place: inout Value, to value: () -> Value) { place = value() }

/// Calls a function with memory for one value, and moves the result as its type does.
@inline(__always)
func withPlace<Value, Result>(
    of type: Value.Type, _ body: (UnsafeMutableBufferPointer<Value>) -> Result
) -> Result {
    withUnsafeTemporaryAllocation(of: type, capacity: 1, body)
}
