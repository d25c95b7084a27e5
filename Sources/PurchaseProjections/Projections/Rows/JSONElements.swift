import PurchaseEvents

extension LineBuffer {
    /// Appends a JSON array or object: brackets, commas and elements.
    @inline(__always)
    mutating func append<Element>(
        _ elements: [Element], between opening: Unicode.Scalar, _ closing: Unicode.Scalar,
        _ body: (Element, inout LineBuffer) -> Void
    ) {
        append(UInt8(ascii: opening))
        for (index, element) in elements.enumerated() {
            if index > 0 { append(UInt8(ascii: ",")) }
            body(element, &self)
        }
        append(UInt8(ascii: closing))
    }
}
