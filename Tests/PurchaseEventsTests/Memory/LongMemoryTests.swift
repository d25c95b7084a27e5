import Foundation
import TestSupport
import Testing

@testable import PurchaseEvents

struct LongMemoryTests {
    private struct Part {
        var place: UnsafeMutableRawPointer
        var byteCount: Int
        var alignment: Int
        /// The value of each byte.
        var byte: UInt8

        var bytes: UnsafeRawBufferPointer {
            UnsafeRawBufferPointer(start: place, count: byteCount)
        }

        /// Whether all bytes still have their value.
        var isWhole: Bool { LongMemoryTests.isAll(byte, bytes) }
    }

    /// Whether all bytes are equal: compares the first with `byte`, and each with the one before.
    private static func isAll(_ byte: UInt8, _ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let start = bytes.baseAddress, bytes.first == byte else { return bytes.isEmpty }
        return memcmp(start, start + 1, bytes.count - 1) == 0
    }

    /// Short and long allocations, separate and in shared pages, freed in any order: no allocation
    /// overlaps another, however its memory was used before.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func `allocations don't overlap`(_ seed: UInt64) {
        var dice = Dice(seed: seed)
        var parts: [Part] = []
        for round in 0..<2_000 {
            if !parts.isEmpty, dice.below(5) < 2 {
                let part = parts.remove(at: dice.below(parts.count))
                #expect(part.isWhole, "seed \(seed), \(round)")
                LongMemory.deallocate(part.place, byteCount: part.byteCount)
                continue
            }
            let byteCount = 1 + dice.below([300, 3_000, 40_000, 600_000][dice.below(4)])
            let alignment = [1, 8, 64][dice.below(3)]
            let place = LongMemory.allocate(byteCount: byteCount, alignment: alignment)
            #expect(Int(bitPattern: place) % alignment == 0, "seed \(seed), \(round)")
            let byte = UInt8(1 + dice.below(255))
            place.initializeMemory(as: UInt8.self, repeating: byte, count: byteCount)
            parts.append(
                Part(place: place, byteCount: byteCount, alignment: alignment, byte: byte))
        }
        for part in parts {
            #expect(part.isWhole, "seed \(seed)")
            LongMemory.deallocate(part.place, byteCount: part.byteCount)
        }
    }

    /// Sizes below and above the shared and separate allocation limits.
    @Test(arguments: [1, 511, 512, 4_096, 1 << 20 - 1, 1 << 20, 2 << 20, 5 << 20 + 1])
    func `zeroed memory is zero even if it was used before`(_ byteCount: Int) {
        for _ in 0..<4 {
            let place = LongMemory.allocateZeroed(byteCount: byteCount)
            let bytes = UnsafeMutableRawBufferPointer(start: place, count: byteCount)
            #expect(LongMemoryTests.isAll(0, UnsafeRawBufferPointer(bytes)))
            #expect(Int(bitPattern: place) % 16 == 0)
            bytes.initializeMemory(as: UInt8.self, repeating: 0xFF)
            LongMemory.deallocate(place, byteCount: byteCount)
        }
    }

    #if os(Linux)
        @Test func `a shared page is unmapped with its last allocation`() {
            var pages = SharedPages()
            let byteCount = 32 << 10, perPage = LongMemory.pageSize / byteCount
            let taken = (0..<LongMemory.ordinaryLimit / byteCount + 3 * perPage).map { _ in
                pages.take(byteCount, 64)
            }
            let parts = taken.compactMap { $0 }
            #expect(taken.prefix { $0 == nil }.count == LongMemory.ordinaryLimit / byteCount)
            #expect(parts.count == 3 * perPage)
            func free(_ parts: ArraySlice<UnsafeMutableRawPointer>) -> Bool {
                parts.reduce(true) { pages.free($1, byteCount) && $0 }
            }
            #expect(pages.pageCount == 3)
            #expect(free(parts[..<perPage]))
            #expect(pages.pageCount == 2)
            // The current page stays mapped and is used from its start again.
            #expect(free(parts[perPage...]))
            #expect(pages.pageCount == 1)
            let again = pages.take(byteCount, 64)
            #expect(again == parts[2 * perPage])
        }

        @Test func `the room of a freed part is used again for smaller parts`() throws {
            var pages = SharedPages()
            let half = LongMemory.pageSize / 2, byteCount = 32 << 10
            func take(_ byteCount: Int) throws -> UnsafeMutableRawPointer {
                let part = pages.take(byteCount, 64)
                return try #require(part)
            }
            while pages.pageCount == 0 { _ = pages.take(half, 64) }
            let freed = try take(half - byteCount)
            _ = try take(half)
            #expect(pages.pageCount == 2)
            let isPart = pages.free(freed, half - byteCount)
            #expect(isPart)
            // The rest of the second page, and all places in the first.
            let count = half / byteCount
            let parts = try (0..<2 * count).map { _ in try take(byteCount) }
            #expect(pages.pageCount == 2)
            #expect(Set(parts).count == 2 * count)
            #expect(parts.filter { freed..<freed + (half - byteCount) ~= $0 }.count == count - 1)
            _ = try take(byteCount)
            #expect(pages.pageCount == 3)
        }

        @Test func `no page is mapped while little memory is in use`() {
            var pages = SharedPages()
            let place = UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 8)
            defer { place.deallocate() }
            for _ in 0..<10_000 {
                let part = pages.take(64 << 10, 8)
                #expect(part == nil)
                let isPart = pages.free(place, 64 << 10)
                #expect(!isPart)
            }
            #expect(pages.pageCount == 0)
        }
    #endif
}
