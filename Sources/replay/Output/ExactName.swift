/// A name compared by its bytes; `String` considers two encodings of one character equal.
struct ExactName: Hashable, Comparable {
    let text: String

    static func == (left: ExactName, right: ExactName) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    static func < (left: ExactName, right: ExactName) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
        hasher.combine(text.utf8.count)
    }
}

extension String {
    var exact: ExactName { ExactName(text: self) }
}
