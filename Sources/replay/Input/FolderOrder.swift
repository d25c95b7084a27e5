/// The order of the files in a folder: by name, and numbers in names by their value, so that page 2
/// comes before page 10.
enum FolderOrder {
    static func precedes(_ left: String, _ right: String) -> Bool {
        var (one, other) = (Array(left.utf8)[...], Array(right.utf8)[...])
        while let first = one.first, let second = other.first {
            let (digits, others) = (leadingDigits(one), leadingDigits(other))
            if !digits.isEmpty, !others.isEmpty {
                let (number, another) = (value(digits), value(others))
                if number.count != another.count { return number.count < another.count }
                if number != another { return number.lexicographicallyPrecedes(another) }
                one = one.dropFirst(digits.count)
                other = other.dropFirst(others.count)
            } else {
                if first != second { return first < second }
                one = one.dropFirst()
                other = other.dropFirst()
            }
        }
        if one.isEmpty != other.isEmpty { return one.isEmpty }
        // Equal but for zeros in front of numbers.
        return left.utf8.lexicographicallyPrecedes(right.utf8)
    }

    private static func leadingDigits(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        name.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    private static func value(_ digits: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        digits.drop { $0 == UInt8(ascii: "0") }
    }
}
