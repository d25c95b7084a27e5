import PurchaseEvents

/// Bytes that are missing between two segments of a log, or before the first one.
struct SegmentGap: CustomStringConvertible {
    let bytes: Int64
    let next: SegmentName

    var description: String {
        "\(Int(clamping: bytes).counted("byte is", "bytes are")) missing before \(next.text): "
            + "expected each segment to end where the next one begins"
    }
}
