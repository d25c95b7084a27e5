@testable import PurchaseEvents
@testable import PurchaseImport

/// Imports arbitrary bytes as rows, and reads them as a mapping of rows: the resulting log reads
/// back and the remarks are safe to print, in whatever portions the rows arrive.
enum RowFuzz {
    static func run(_ input: UnsafeRawBufferPointer) {
        guard let how = input.first else { return }
        let bytes = Array(input.dropFirst())
        check(mapping: bytes)
        guard let mapping = try? RowMapping(events: events) else {
            preconditionFailure("the mapping is valid")
        }
        var options = ImportOptions()
        options.rows = mapping
        let name = how & 1 == 1 ? "input.csv" : "input"
        let whole = imported(name, MemorySource(bytes), options)
        options.threads = how & 2 == 2 ? 2 : 1
        let pieces = imported(name, SmallPortions(bytes, how), options)
        precondition(whole.log == pieces.log, "portions and threads change nothing")
        precondition(whole.remarks == pieces.remarks, "portions and threads change no remark")
        for remark in whole.remarks { check(remark.description) }
        let decoder = LineDecoder()
        for line in whole.log.split(separator: UInt8(ascii: "\n")) {
            guard case .event = line.withUnsafeBytes({ decoder.decodeWritten($0) }) else {
                preconditionFailure("every written line must be readable")
            }
        }
    }

    static func check(mapping bytes: [UInt8]) {
        do throws(RowMappingProblem) {
            _ = try RowMapping(json: bytes)
        } catch {
            check(error.message)
        }
    }

    /// Imports rows with the columns `t`, `at`, `a` and `n`, or texts under `a`.
    static func imported(
        _ name: String, _ source: any ByteSource, _ options: ImportOptions
    ) -> (log: [UInt8], remarks: [ImportRemark]) {
        let sink = FuzzSink()
        let input = ImportInput(name: name) { source }
        guard let summary = try? RowImporter().run([input], options: options, into: sink)
        else { preconditionFailure("bytes in memory can be read") }
        return (sink.log, sink.remarks + summary.remarks)
    }

    static let events = [
        RowMapping.EventMapping(
            type: .deliveryDelivered,
            columns: [.transaction: "a", .account: "b", .quantity: "c"],
            constants: [.at: "2026-02-20T09:00:00Z"]),
        RowMapping.EventMapping(
            type: .receiptListed, columns: [.transaction: "a", .price: "c"],
            constants: [
                .at: "2026-02-20T09:00:00Z", .product: "p",
                .purchasedAt: "2026-02-20T09:00:00Z",
            ], conditions: [.init(column: "b", values: [""], isNegated: true)]),
    ]

    private static func check(_ message: String) {
        precondition(
            !message.unicodeScalars.contains(where: EscapedText.isUnsafe), "safe to print")
    }
}
