@testable import PurchaseEvents
@testable import PurchaseImport

/// Imports arbitrary bytes as a file: the resulting log reads back and the remarks are safe to
/// print, in whatever portions the file arrives.
enum ImportFuzz {
    static func run(_ input: UnsafeRawBufferPointer) {
        guard let how = input.first else { return }
        let bytes = Array(input.dropFirst())
        var options = ImportOptions()
        options.verifies = how & 1 == 1
        options.opensReceipts = how & 2 == 2
        if how & 4 == 4 { options.sharedSecret = SharedSecret("secret".utf8) }
        options.account = AccountKey.allCases[Int(how >> 1) % AccountKey.allCases.count]
        if how & 5 == 5 { options.column = "a" }
        let kinds = ImportKind.allCases
        if how & 8 == 8 { options.kind = kinds[Int(how >> 4) % kinds.count] }
        let whole = imported(MemorySource(bytes), options)
        options.threads = how & 7 == 7 ? 2 : 1
        let pieces = imported(SmallPortions(bytes, how), options)
        precondition(whole.log == pieces.log, "portions and threads change nothing")
        precondition(whole.remarks == pieces.remarks, "portions and threads change no remark")
        for remark in whole.remarks {
            precondition(
                !remark.description.unicodeScalars.contains { EscapedText.isUnsafe($0) },
                "a remark drives no terminal")
        }
        let decoder = LineDecoder()
        for line in whole.log.split(separator: UInt8(ascii: "\n")) {
            guard case .event = line.withUnsafeBytes({ decoder.decodeWritten($0) }) else {
                preconditionFailure("every written line must be readable")
            }
        }
    }

    private static func imported(
        _ source: any ByteSource, _ options: ImportOptions
    ) -> (log: [UInt8], remarks: [ImportRemark]) {
        let sink = FuzzSink()
        let input = ImportInput(name: "input") { source }
        guard let summary = try? AppStoreImporter().run([input], options: options, into: sink)
        else { preconditionFailure("bytes in memory can be read") }
        return (sink.log, sink.remarks + summary.remarks)
    }
}

/// Collects the results of an import.
final class FuzzSink: ImportSink {
    var log: [UInt8] = []
    var remarks: [ImportRemark] = []

    func write(_ bytes: [UInt8]) { log += bytes }

    func finish(_ file: ImportedFile) { remarks += file.remarks }

    func advance(bytes: Int, records: Int) {}
}

/// A source of bytes in small portions, determined by a number.
final class SmallPortions: ByteSource {
    private var bytes: ArraySlice<UInt8>
    private let most: Int

    init(_ bytes: [UInt8], _ how: UInt8) {
        self.bytes = bytes[...]
        most = Int(how) % 37 + 1
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let portion = bytes.prefix(min(most, buffer.count))
        buffer.copyBytes(from: portion)
        bytes = bytes.dropFirst(portion.count)
        return portion.count
    }
}
