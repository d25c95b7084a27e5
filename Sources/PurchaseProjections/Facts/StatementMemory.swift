import PurchaseEvents

/// The memory of ``StatementBytes``: a statement's ``Head``, the number of its bytes, and they.
///
/// Memory is given out in units of eight bytes, whose numbers are the statements' versions.
final class StatementMemory {
    /// What stands before a statement's bytes.
    struct Head {
        var time: Timestamp
        var holders: UInt32
    }

    static var unit: Int { MemoryLayout<UInt64>.size }
    private static let chunkBits: UInt32 = 13
    private static let chunkUnits = 1 << 13

    let packer = StatementPacker()
    /// The chunks, of which one is longer where it holds a longer statement alone.
    private var chunks: UnsafeMutablePointer<UnsafeMutableRawPointer>
    /// How many units of each are taken.
    private var taken: [Int] = []
    private var capacity = 4
    /// By the number of their units the place that was forgotten last, 0 where there is none: it
    /// holds that of the one before.
    private var free: [UInt32] = []

    init() { chunks = .allocate(capacity: capacity) }

    init(copying other: StatementMemory) {
        (taken, capacity, free) = (other.taken, other.capacity, other.free)
        chunks = .allocate(capacity: capacity)
        for (index, units) in taken.enumerated() {
            let room = max(units, StatementMemory.chunkUnits) * StatementMemory.unit
            chunks[index] = .allocate(byteCount: room, alignment: StatementMemory.unit)
            chunks[index].copyMemory(
                from: other.chunks[index], byteCount: units * StatementMemory.unit)
        }
    }

    deinit {
        for index in taken.indices { chunks[index].deallocate() }
        chunks.deallocate()
    }

    /// How many units are taken, by what was forgotten too.
    var takenUnits: Int { taken.reduce(0, +) }

    @inline(__always)
    func head(of version: VersionID) -> UnsafeMutablePointer<Head> {
        place(of: version.index).assumingMemoryBound(to: Head.self)
    }

    @inline(__always)
    private func place(of index: UInt32) -> UnsafeMutableRawPointer {
        let offset = Int(index) & (StatementMemory.chunkUnits &- 1)
        return chunks[Int(index &>> StatementMemory.chunkBits)] + offset &* StatementMemory.unit
    }

    /// A statement's bytes.
    func bytes(of version: VersionID) -> UnsafeRawBufferPointer {
        var start = UnsafeRawPointer(place(of: version.index)) + StatementMemory.headSize
        let count = StatementMemory.count(at: &start)
        return UnsafeRawBufferPointer(start: start, count: count)
    }

    /// Keeps a statement's bytes, which nothing holds yet.
    func append(_ time: Timestamp, _ bytes: UnsafeRawBufferPointer) -> VersionID {
        let index = take(StatementMemory.units(for: bytes.count))
        let place = place(of: index)
        place.initializeMemory(as: Head.self, to: Head(time: time, holders: 0))
        var end = place + StatementMemory.headSize
        var rest = bytes.count
        while rest > 0x7F {
            end.storeBytes(of: UInt8(truncatingIfNeeded: rest) | 0x80, as: UInt8.self)
            end += 1
            rest &>>= 7
        }
        end.storeBytes(of: UInt8(truncatingIfNeeded: rest), as: UInt8.self)
        if let base = bytes.baseAddress {
            (end + 1).copyMemory(from: base, byteCount: bytes.count)
        }
        return VersionID(index: index)
    }

    /// Makes room of what a statement takes.
    func forget(_ version: VersionID) {
        let units = StatementMemory.units(for: bytes(of: version).count)
        while free.count <= units { free.append(0) }
        place(of: version.index).storeBytes(of: free[units], as: UInt32.self)
        free[units] = version.index
    }

    private static let headSize = 12

    /// Reads how many bytes follow, seven bits a byte, and goes to them.
    private static func count(at start: inout UnsafeRawPointer) -> Int {
        var (count, shift) = (0, 0)
        while true {
            let byte = start.load(as: UInt8.self)
            start += 1
            count |= Int(byte & 0x7F) << shift
            if byte < 0x80 { return count }
            shift += 7
        }
    }

    private static func units(for count: Int) -> Int {
        let lengthBits = max(1, Int.bitWidth - count.leadingZeroBitCount)
        return (headSize + (lengthBits + 6) / 7 + count + unit - 1) / unit
    }

    /// The place of so many units, never 0.
    private func take(_ units: Int) -> UInt32 {
        if units < free.count, free[units] != 0 {
            let index = free[units]
            free[units] = place(of: index).load(as: UInt32.self)
            return index
        }
        if taken.isEmpty || taken[taken.count - 1] + units > StatementMemory.chunkUnits {
            addChunk(units)
        }
        let chunk = taken.count - 1
        let index = (chunk << Int(StatementMemory.chunkBits)) + taken[chunk]
        precondition(index <= Int(UInt32.max), "at most 32 GiB of statements")
        taken[chunk] += units
        return UInt32(index)
    }

    private func addChunk(_ units: Int) {
        if taken.count == capacity {
            let grown = UnsafeMutablePointer<UnsafeMutableRawPointer>.allocate(
                capacity: capacity * 2)
            grown.initialize(from: chunks, count: capacity)
            chunks.deallocate()
            (chunks, capacity) = (grown, capacity * 2)
        }
        // The first unit of all has the number of no version.
        let first = taken.isEmpty ? 1 : 0
        let room = max(first + units, StatementMemory.chunkUnits) * StatementMemory.unit
        (chunks + taken.count).initialize(
            to: .allocate(byteCount: room, alignment: StatementMemory.unit))
        taken.append(first)
    }
}
