import PurchaseEvents
import Testing

@testable import PurchaseImport

/// Imports files of rows on one thread and on two, and checks what must hold for every log.
func importedRows(
    _ files: [ImportFile], _ mapping: RowMapping,
    sourceLocation: SourceLocation = #_sourceLocation
) throws -> ImportResult {
    var options = ImportOptions()
    options.rows = mapping
    let result = RowImporter().log(of: files, options: options)
    options.threads = 2
    let again = RowImporter().log(of: files, options: options)
    #expect(result.log == again.log, sourceLocation: sourceLocation)
    #expect(result.remarks == again.remarks, sourceLocation: sourceLocation)
    var canonical: [UInt8] = []
    for event in result.events { try LineWriter.append(event, to: &canonical) }
    #expect(
        canonical == result.log, "the lines are canonical, each an event",
        sourceLocation: sourceLocation)
    #expect(
        result.events.map(\.seq) == result.events.indices.map { Int64($0) + 1 },
        sourceLocation: sourceLocation)
    return result
}

extension ImportResult {
    /// The transactions of the deliveries, in order.
    var delivered: [String] {
        events.compactMap { event in event.transaction.map(\.name) }
    }

    /// The remarks as printed.
    var printed: [String] { remarks.map(\.description) }
}
