/// What a rule rests on, in words: the facts of Apple's In-App Purchase guide by number, the themes
/// of incidents that apps had in public, and the format of the log.
///
/// evidence.txt, which the tool embeds, has a line for each.
enum Evidence {
    /// The sentence of a fact or theme such as `G4.7` or `I1`; `nil` for another text.
    static func words(_ code: String) -> String? { sentences[code] }

    private static let sentences = Dictionary(
        uniqueKeysWithValues: EmbeddedFiles.evidence.split(separator: "\n").map { line in
            let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
            return (parts[0], parts[1])
        })
}
