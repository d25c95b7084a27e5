import PurchaseEvents
import PurchaseImport

/// Files that stand beside App Store data in a folder and hold none, told by their first bytes:
/// logs and rows of this tool, other tables, certificates, and empty files.
enum OwnFile {
    static let headLength = 1 << 20

    /// What a file is, such as `an event log`; `nil` for any other file.
    static func words(of head: [UInt8], name: String) -> String? {
        if head.isEmpty { return "an empty file" }
        if (try? TrustedRoots(certificates: [head])) != nil { return "a certificate" }
        if DocumentHead.isTableOfOthers(head, name: name) {
            return "a table without App Store data"
        }
        let line = Array(head.prefix { $0 != UInt8(ascii: "\n") })
        if case .event = line.withUnsafeBytes({ LineDecoder().decodeWritten($0) }) {
            return "an event log"
        }
        guard let record = try? JSONReader.document(line) else { return nil }
        func has(_ keys: String...) -> Bool { keys.allSatisfy { record[$0] != nil } }
        if has("arrivesAt", "attempt", "notification") { return "a list of deliveries" }
        if has("delivery", "asOf") { return "rows after each delivery" }
        let marks = ["active", "periods", "irregular"]
        return marks.contains { record[$0] != nil } ? "rows of `replay show`" : nil
    }
}
