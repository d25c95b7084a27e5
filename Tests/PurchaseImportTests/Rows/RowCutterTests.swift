import PurchaseEvents
import TestSupport
import Testing

@testable import PurchaseImport

/// Rows cut from a file, compared with rows cut one by one from its beginning.
struct RowCutterTests {
    /// Rows next to each other as one text, or the line of a dropped line.
    private enum Part: Hashable {
        case rows([UInt8], line: Int)
        case dropped(line: Int)
    }

    /// A source of a few bytes at a time.
    private final class Portions: ByteSource {
        private var bytes: ArraySlice<UInt8>
        private let most: Int

        init(_ bytes: [UInt8], most: Int) { (self.bytes, self.most) = (bytes[...], most) }

        func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
            let portion = bytes.prefix(min(most, buffer.count))
            buffer.copyBytes(from: portion)
            bytes = bytes.dropFirst(portion.count)
            return portion.count
        }
    }

    private func cut(_ bytes: [UInt8], most: Int) throws -> [Part] {
        var cutter = RowCutter(Portions(bytes, most: most), name: "a.csv")
        var parts: [Part] = []
        while let part = try cutter.next() {
            switch part {
            case .problem(_, let line): parts.append(.dropped(line: line))
            case .rows(let block):
                if case .rows(let before, let line) = parts.last {
                    parts[parts.count - 1] = .rows(before + block.bytes, line: line)
                } else {
                    parts.append(.rows(block.bytes, line: block.line))
                }
            }
        }
        return parts
    }

    /// The end of the row that begins at an offset; `nil` if a quote isn't closed.
    private func end(_ bytes: [UInt8], _ start: Int) -> Int? {
        var (place, isCellStart) = (start, true)
        while place < bytes.count {
            let byte = bytes[place]
            if byte == UInt8(ascii: "\""), isCellStart {
                while true {
                    place += 1
                    guard let quote = bytes[place...].firstIndex(of: UInt8(ascii: "\"")) else {
                        return nil
                    }
                    place = quote + 1
                    guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") else { break }
                }
                isCellStart = false
                continue
            }
            place += 1
            if byte == 0x0A { return place }
            isCellStart = byte == UInt8(ascii: ",")
        }
        return place
    }

    private func slowlyCut(_ bytes: [UInt8]) -> [Part] {
        var (parts, start, line) = ([Part](), 0, 1)
        while start < bytes.count {
            let next: Int
            if let end = end(bytes, start) {
                next = end
                let row = Array(bytes[start..<next])
                if case .rows(let before, let line) = parts.last {
                    parts[parts.count - 1] = .rows(before + row, line: line)
                } else {
                    parts.append(.rows(row, line: line))
                }
            } else {
                parts.append(.dropped(line: line))
                next = bytes[start...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
            }
            line += bytes[start..<next].count { $0 == 0x0A }
            start = next
        }
        return parts
    }

    @Test func `lines are dropped and rows are kept as if each were read from its beginning`()
        throws
    {
        let pieces = ["a", "\"", ",", "\n", "\"\n", ",\"", "\"\"", "a\"b,\"c\n", "x,y\n"]
        for seed in 0..<UInt64(Effort.of(whole: 20_000, part: 1_000)) {
            var dice = Dice(seed: seed)
            let text = (0...dice.below(40)).map { _ in pieces[dice.below(pieces.count)] }.joined()
            let bytes = Array("h,i\n\(text)".utf8)
            let expected = slowlyCut(bytes)
            #expect(try cut(bytes, most: .max) == expected, "\(text)")
            #expect(try cut(bytes, most: 1 + dice.below(9)) == expected, "\(text)")
        }
    }

    @Test func `a file of dropped lines and rows is cut in any portions`() throws {
        let count = 3 * RowCutter.largestRow / 14
        let bytes =
            Array("h,i\n".utf8)
            + repeatElement("a\"b,\"c\nx,y,z,\n".utf8, count: count)
            .joined()
        let whole = try cut(bytes, most: .max)
        #expect(whole.count == 1 + 2 * count)
        #expect(whole.last == .rows(Array("x,y,z,\n".utf8), line: 1 + 2 * count))
        #expect(try cut(bytes, most: 1 << 16) == whole)
    }
}
