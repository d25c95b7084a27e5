package struct ASN1Element: Hashable, Sendable {
    /// The identifier octet: class, whether it is constructed, and tag number.
    package var tag: UInt8
    package var start: Int
    package var content: Range<Int>
    /// The offset after the element, including the end-of-contents octets of an indefinite length.
    package var end: Int

    package var isConstructed: Bool { tag & 0x20 != 0 }
}

/// The identifier octets that certificates, messages and receipts use.
package enum ASN1Tag {
    package static let boolean: UInt8 = 0x01
    package static let integer: UInt8 = 0x02
    package static let bitString: UInt8 = 0x03
    package static let octetString: UInt8 = 0x04
    package static let null: UInt8 = 0x05
    package static let objectIdentifier: UInt8 = 0x06
    package static let utf8String: UInt8 = 0x0C
    package static let printableString: UInt8 = 0x13
    package static let ia5String: UInt8 = 0x16
    package static let utcTime: UInt8 = 0x17
    package static let generalizedTime: UInt8 = 0x18
    package static let sequence: UInt8 = 0x30
    package static let set: UInt8 = 0x31

    /// The bit of a tag for content that is a series of elements.
    package static let constructed: UInt8 = 0x20

    /// The tag of a context-specific field, implicit or explicit.
    package static func field(_ number: UInt8, isConstructed: Bool = true) -> UInt8 {
        0x80 | number | (isConstructed ? constructed : 0)
    }

    package static func words(_ tag: UInt8) -> String {
        names[tag] ?? "tag 0x" + String(tag, radix: 16)
    }

    private static let names: [UInt8: String] = [
        boolean: "BOOLEAN", integer: "INTEGER", bitString: "BIT STRING",
        octetString: "OCTET STRING", null: "NULL", objectIdentifier: "OBJECT IDENTIFIER",
        utf8String: "UTF8String", printableString: "PrintableString", ia5String: "IA5String",
        utcTime: "UTCTime", generalizedTime: "GeneralizedTime", sequence: "SEQUENCE", set: "SET",
    ]
}
