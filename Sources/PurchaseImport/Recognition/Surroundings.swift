/// What surrounds a document: the levels of objects, and the texts that hold JSON.
///
/// Both are counted across every text that is opened, so that nested input always ends.
struct Surroundings {
    static let mostLevels = 4
    /// The most texts around a document: one a level, and a cell of a table around all levels.
    static let mostTexts = mostLevels + 1

    private var levels = 0
    private var texts = 0

    /// The surroundings of a member of an object, or `nil` beyond the limit.
    var ofMember: Surroundings? {
        guard levels < Surroundings.mostLevels else { return nil }
        var inner = self
        inner.levels += 1
        return inner
    }

    /// The surroundings of the JSON in a text, or `nil` beyond the limit; a text is no level.
    var ofText: Surroundings? {
        guard texts < Surroundings.mostTexts else { return nil }
        var inner = self
        inner.texts += 1
        return inner
    }
}
