/// Visits the fields of state, to write them to a snapshot or to read them from one.
///
/// Each visit returns the visitor, for the next field: `visitor.visit(&launches).visit(&devices)`.
/// Values whose bytes are their meaning (`BitwiseCopyable`) are copied as bytes, so a snapshot fits
/// only the program that wrote it. After reading damaged bytes, every further value is zero or
/// empty, and ``isDamaged`` says so.
public final class FieldVisitor {
    private let writer: SnapshotWriter?
    private let reader: SnapshotReader?
    private var scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 0, alignment: 16)

    package init(_ writer: SnapshotWriter) { (self.writer, reader) = (writer, nil) }

    package init(_ reader: SnapshotReader) { (writer, self.reader) = (nil, reader) }

    deinit { scratch.deallocate() }

    /// Whether the visited values are replaced by those of a snapshot.
    public var isReading: Bool { reader != nil }

    /// Whether the snapshot that is being read ended early or can't be right.
    public var isDamaged: Bool { reader?.isDamaged ?? false }

    /// Visits a value as its bytes.
    @inlinable @discardableResult
    public func visit<Value: BitwiseCopyable>(_ value: inout Value) -> FieldVisitor {
        withUnsafeMutableBytes(of: &value) { visitBytes($0) }
        return self
    }

    /// Visits a value field by field.
    @inlinable @discardableResult
    public func visit<Value: Snapshotted>(_ value: inout Value) -> FieldVisitor {
        value.visitFields(self)
        return self
    }

    /// Visits a value that may be missing.
    @inlinable @discardableResult
    public func visit<Value: SnapshottedElement>(_ value: inout Value?) -> FieldVisitor {
        var isThere = value != nil
        visit(&isThere)
        if isReading { value = isThere ? Value() : nil }
        if value != nil { value?.visitFields(self) }
        return self
    }

    /// Visits a list of values as their bytes.
    @inlinable @discardableResult
    public func visit<Value: BitwiseCopyable>(_ values: inout [Value]) -> FieldVisitor {
        let count = visitCount(values.count, ofSize: MemoryLayout<Value>.stride)
        if isReading {
            values = [Value](unsafeUninitializedCapacity: count) { buffer, filled in
                visitBytes(UnsafeMutableRawBufferPointer(buffer))
                filled = count
            }
        } else {
            values.withUnsafeBytes { writeBytes($0) }
        }
        return self
    }

    /// Visits a list of values, each field by field.
    @inlinable @discardableResult
    public func visit<Value: SnapshottedElement>(_ values: inout [Value]) -> FieldVisitor {
        visit(&values, empty: Value()) { $0.visitFields(self) }
        return self
    }

    /// Visits a list of values, each with a closure; `empty` is what a snapshot's values replace.
    @inlinable
    package func visit<Value>(
        _ values: inout [Value], empty: @autoclosure () -> Value, _ visit: (inout Value) -> Void
    ) {
        let count = visitCount(values.count)
        if isReading {
            values = []
            values.reserveCapacity(count)
            for _ in 0..<count where !isDamaged { values.append(empty()) }
        }
        for index in values.indices { visit(&values[index]) }
    }

    /// Visits a text.
    @discardableResult
    public func visit(_ text: inout String) -> FieldVisitor {
        var bytes = isReading ? [] : Array(text.utf8)
        visit(&bytes)
        if isReading { text = String(decoding: bytes, as: UTF8.self) }
        return self
    }

    /// Visits a text that may be missing.
    @discardableResult
    public func visit(_ text: inout String?) -> FieldVisitor {
        var texts = text.map { [$0] } ?? []
        visit(&texts)
        text = texts.first
        return self
    }

    /// Visits a list of texts.
    @discardableResult
    public func visit(_ texts: inout [String]) -> FieldVisitor {
        visit(&texts, empty: "") { visit(&$0) }
        return self
    }

    /// Visits a set of values as their bytes, in no meaningful order.
    @inlinable @discardableResult
    public func visit<Value: BitwiseCopyable & Hashable>(_ values: inout Set<Value>) -> FieldVisitor
    {
        var list = isReading ? [] : Array(values)
        visit(&list)
        if isReading { values = Set(list) }
        return self
    }

    /// Visits a map of values as their bytes, in no meaningful order.
    @inlinable @discardableResult
    public func visit<Key: BitwiseCopyable & Hashable, Value: BitwiseCopyable>(
        _ map: inout [Key: Value]
    ) -> FieldVisitor {
        var (keys, values) = isReading ? ([], []) : (Array(map.keys), Array(map.values))
        visit(&keys)
        visit(&values)
        if isReading { map = FieldVisitor.map(keys, values) }
        return self
    }

    /// Visits a map of lists of values as their bytes, in no meaningful order.
    @inlinable @discardableResult
    public func visit<Key: BitwiseCopyable & Hashable, Value: BitwiseCopyable>(
        _ map: inout [Key: [Value]]
    ) -> FieldVisitor {
        visitEntries(&map, empty: []) { visit(&$0) }
        return self
    }

    @inlinable @discardableResult
    package func visit<Key: BitwiseCopyable & Hashable, Value: BitwiseCopyable>(
        _ map: inout [Key: ArraySlice<Value>]
    ) -> FieldVisitor {
        visitEntries(&map, empty: []) { part in
            var list = Array(part)
            visit(&list)
            part = list[...]
        }
        return self
    }

    /// Visits a map of sets of values as their bytes, in no meaningful order.
    @inlinable @discardableResult
    public func visit<Key: BitwiseCopyable & Hashable, Value: BitwiseCopyable & Hashable>(
        _ map: inout [Key: Set<Value>]
    ) -> FieldVisitor {
        visitEntries(&map, empty: []) { visit(&$0) }
        return self
    }

    /// Visits a map of values, each field by field, in no meaningful order.
    @inlinable @discardableResult
    public func visit<Key: BitwiseCopyable & Hashable, Value: SnapshottedElement>(
        _ map: inout [Key: Value]
    ) -> FieldVisitor {
        visitEntries(&map, empty: Value()) { $0.visitFields(self) }
        return self
    }

    /// Visits a map of lists of values, each field by field, in no meaningful order.
    @inlinable @discardableResult
    public func visit<Key: BitwiseCopyable & Hashable, Value: SnapshottedElement>(
        _ map: inout [Key: [Value]]
    ) -> FieldVisitor {
        visitEntries(&map, empty: []) { visit(&$0) }
        return self
    }

    /// Visits the entries of a map, with a closure that visits a value.
    @inlinable
    public func visitEntries<Key: BitwiseCopyable & Hashable, Value>(
        _ map: inout [Key: Value], empty: @autoclosure () -> Value, _ visit: (inout Value) -> Void
    ) {
        var keys = isReading ? [] : Array(map.keys)
        self.visit(&keys)
        guard isReading else {
            for value in map.values {
                var value = value
                visit(&value)
            }
            return
        }
        var values: [Value] = []
        values.reserveCapacity(keys.count)
        for _ in keys {
            var value = empty()
            visit(&value)
            values.append(value)
        }
        map = FieldVisitor.map(keys, values)
    }

    @inlinable
    static func map<Key: Hashable, Value>(_ keys: [Key], _ values: [Value]) -> [Key: Value] {
        var map = [Key: Value](minimumCapacity: keys.count)
        for (key, value) in zip(keys, values) { map[key] = value }
        return map
    }

    /// Visits the number of parts that follow, and the bytes of each in memory. Parts of another
    /// size, or more than the snapshot can hold, damage it.
    @usableFromInline
    package func visitCount(_ count: Int, ofSize size: Int = 1) -> Int {
        var known = (count: count, size: size)
        withUnsafeMutableBytes(of: &known) { visitBytes($0) }
        guard let reader else { return count }
        if known.size != size { reader.damage() }
        return reader.holds(known.count, ofSize: size) ? known.count : 0
    }

    /// Writes bytes, or replaces them by those of the snapshot.
    @usableFromInline
    package func visitBytes(_ bytes: UnsafeMutableRawBufferPointer) {
        guard let reader else { return writeBytes(UnsafeRawBufferPointer(bytes)) }
        reader.read(into: bytes)
    }

    /// Writes bytes; does nothing when a snapshot is read.
    @usableFromInline
    func writeBytes(_ bytes: UnsafeRawBufferPointer) { writer?.write(bytes) }
}

extension FieldVisitor {
    /// The places of a value's lists in its bytes; each is one reference.
    @usableFromInline
    package struct ListPlaces: Sendable {
        let offsets: [Int]

        /// Every part of a value that isn't its own bytes must be one of the lists, a stored
        /// property.
        package init<Value>(of lists: PartialKeyPath<Value>...) {
            offsets = lists.map { list in
                guard let offset = MemoryLayout<Value>.offset(of: list) else {
                    preconditionFailure("a list is a stored property")
                }
                return offset
            }
        }
    }

    @inlinable
    package func visitImage<Value>(of value: inout Value, without lists: ListPlaces) {
        withUnsafeMutablePointer(to: &value) {
            visitImages(of: UnsafeMutableBufferPointer(start: $0, count: 1), without: lists)
        }
    }

    /// Visits values as they lie in memory, without their lists, which stay as they are.
    @inlinable
    package func visitImages<Value>(
        of values: UnsafeMutableBufferPointer<Value>, without lists: ListPlaces
    ) {
        visitImages(
            of: UnsafeMutableRawBufferPointer(values), stride: MemoryLayout<Value>.stride, lists)
    }

    /// Visits values as they lie in memory, and then each that isn't plain with a closure, which
    /// visits its lists; a plain value has only empty ones.
    @inlinable
    package func visitImages<Value>(
        of values: UnsafeMutableBufferPointer<Value>, without lists: ListPlaces,
        isPlain: (borrowing Value) -> Bool, _ visitLists: (inout Value) -> Void
    ) {
        visitImages(of: values, without: lists)
        var places = isReading ? [] : values.indices.filter { !isPlain(values[$0]) }
        visit(&places)
        for place in places where values.indices.contains(place) { visitLists(&values[place]) }
    }

    @usableFromInline
    package func visitImages(
        of bytes: UnsafeMutableRawBufferPointer, stride: Int, _ lists: ListPlaces
    ) {
        // Some values at a time, so that their image stays small.
        let size = 256 * stride
        for start in Swift.stride(from: 0, to: bytes.count, by: size) {
            let some = bytes[start..<min(start + size, bytes.count)]
            visitImage(of: UnsafeMutableRawBufferPointer(rebasing: some), stride, lists)
        }
    }

    private func visitImage(
        of bytes: UnsafeMutableRawBufferPointer, _ stride: Int, _ lists: ListPlaces
    ) {
        let image = image(ofSize: bytes.count)
        if isReading {
            visitBytes(image)
        } else {
            image.copyMemory(from: UnsafeRawBufferPointer(bytes))
        }
        for offset in lists.offsets {
            var place = offset
            while place < bytes.count {
                let kept = isReading ? bytes.load(fromByteOffset: place, as: UInt.self) : 0
                image.storeBytes(of: kept, toByteOffset: place, as: UInt.self)
                place += stride
            }
        }
        if isReading {
            bytes.copyMemory(from: UnsafeRawBufferPointer(image))
        } else {
            visitBytes(image)
        }
    }

    /// Memory for the image of values, used again for the next ones.
    private func image(ofSize size: Int) -> UnsafeMutableRawBufferPointer {
        if scratch.count < size {
            scratch.deallocate()
            scratch = .allocate(byteCount: size, alignment: 16)
        }
        return UnsafeMutableRawBufferPointer(rebasing: scratch[..<size])
    }
}
