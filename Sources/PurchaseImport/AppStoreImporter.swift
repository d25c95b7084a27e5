import PurchaseEvents

/// Imports what the App Store sends: version 1 status update notifications (G7) and responses of
/// verifyReceipt (G4.19), in any mixture, told apart by their content.
///
/// A file holds one JSON object, an array of them, or one object a line. `at` of what a document
/// states is the greatest of its dates that has passed, so that equal input gives equal bytes, and
/// documents are recorded in the order of these dates.
public struct AppStoreImporter: Importer {
    /// An importer.
    public init() {}

    /// The word that asks for it.
    public var name: String { "app-store" }

    /// What it reads.
    public var summary: String { "version 1 notifications and verifyReceipt responses, JSON" }

    /// One log of all the files.
    public func log(of files: [ImportFile], options: ImportOptions) -> ImportResult {
        var sources: [StatedSource] = []
        var remarks: [ImportRemark] = []
        for file in files {
            let remarksOnFile = ImportRemarks(on: file)
            sources += AppStoreImporter.sources(in: file, remarksOnFile, options)
            remarks += remarksOnFile.finish()
        }
        var assembler = LogAssembler(options: options)
        var result = assembler.assemble(sources)
        result.remarks = remarks + result.remarks
        return result
    }

    private static func sources(
        in file: ImportFile, _ remarks: ImportRemarks, _ options: ImportOptions
    ) -> [StatedSource] {
        var sources: [StatedSource] = []
        var isEmpty = true
        JSONReader.read(file.bytes) { part in
            isEmpty = false
            switch part {
            case .document(let document): read(document)
            case .emptyArray(let offset): remarks.add(.note, at: offset, "an empty array")
            case .problem(let problem, let lost):
                remarks.add(
                    .error, at: problem.offset,
                    "this is no JSON: \(problem.message); \(lostWords(lost, of: problem, remarks))"
                )
            }
        }
        if isEmpty {
            remarks.add(.error, at: 0, "expected App Store data, seen an empty file")
        }
        return sources

        func read(_ document: JSONValue) {
            if let format = AppStoreFormat.all.first(where: { $0.recognises(document) }) {
                if let source = format.states(document, remarks, options) {
                    sources.append(source)
                }
            } else {
                remarks.add(.error, at: document.offset, notRecognised(document))
            }
        }
    }

    /// What is not in the log for something that is no JSON.
    private static func lostWords(
        _ lost: Range<Int>, of problem: JSONProblem, _ remarks: ImportRemarks
    ) -> String {
        let first = remarks.place(of: lost.lowerBound).line
        let last = remarks.place(of: lost.upperBound - 1).line
        if first < last { return "lines \(first) to \(last) are not in the log" }
        let isHere = remarks.place(of: problem.offset).line == first
        return "\(isHere ? "what stands here" : "line \(first)") is not in the log"
    }

    private static func notRecognised(_ document: JSONValue) -> String {
        let expected = "expected a version 1 notification or a verifyReceipt response"
        guard let members = document.members else {
            return "\(expected), seen \(document.kindWords); it is not in the log"
        }
        let keys = members.prefix(4).map { "`\(EscapedText.escape($0.key.excerpt))`" }
        let more = members.count > 4 ? " and more" : ""
        let seen = keys.isEmpty ? "an empty object" : "the keys " + keys.joined(separator: ", ")
        return "\(expected), seen \(seen)\(more); it is not in the log"
    }
}

extension String {
    /// The first characters of a text, for a message.
    fileprivate var excerpt: String { count > 40 ? prefix(40) + "…" : self }
}
