import PurchaseEvents
import TestSupport

/// Opens the files that a crash left, and reports what is wrong.
struct CrashCheck {
    let script: CrashScript
    let witness: CrashScript.Witness
    /// A seeded bug between the log and its files.
    var bug: SeededBug?
    /// Whether the power fails again as soon as the log is open.
    var losesPower = false

    /// What is wrong, or `nil`.
    func problem(of image: FileImage) -> String? {
        do {
            return try examine(image)
        } catch {
            return "\(error)"
        }
    }

    private func operations(_ files: MemoryFiles) -> any FileOperations {
        bug.map { BuggyFiles(files, $0) } ?? files
    }

    private func examine(_ image: FileImage) throws -> String? {
        let files = MemoryFiles(image)
        let bytes = CrashCheck.bytes(of: files)
        let log: EventLog
        do throws(EventLogError) {
            log = try CrashScript.open(
                on: operations(files), .cut(recordedAt: CrashScript.time))
        } catch .noSuchLog, .empty, .notARegularFile(_, seen: .folder) {
            if witness.isCreated { return "the log isn't there" }
            return script.create(on: files) == nil ? "it can't be created" : nil
        }
        if let damage = log.openingReport.damage { return "damaged: \(damage)" }
        let texts = try CrashScript.texts(in: log)
        if let problem = compare(texts) { return problem }
        if let problem = kept(of: bytes, log.openingReport, files) { return problem }
        if let lost = doubled(texts) { return lost }
        // What opening the log found must survive another power loss.
        if losesPower {
            let later = MemoryFiles(files.image)
            later.losePower()
            let found = try CrashScript.texts(in: CrashScript.open(on: later, .refuse))
            guard found == texts else { return "at first \(texts), then \(found)" }
        }
        let answer = try log.append(CrashScript.draft("after"))
        let lines = try log.lastSeq
        guard answer.seq == lines else { return "seq \(answer.seq) of \(lines)" }
        files.losePower()
        log.close()
        let again = try CrashScript.open(on: operations(files), .refuse)
        guard again.openingReport.isSound else { return "not sound: \(again.openingReport)" }
        let found = try CrashScript.texts(in: again)
        return found == texts + ["after"] ? nil : "then \(found), expected \(texts) and after"
    }

    private func compare(_ texts: [String]) -> String? {
        if let lost = witness.acknowledged.first(where: { !texts.contains($0) }) {
            return "lost \(lost)"
        }
        var rest = witness.attempted[...]
        for text in texts {
            guard let place = rest.firstIndex(of: text) else {
                return "invented or moved: \(text)"
            }
            rest = rest[(place + 1)...]
        }
        return nil
    }

    private func doubled(_ texts: [String]) -> String? {
        Set(texts).count == texts.count ? nil : "doubled"
    }

    /// Whether every byte that was cut off is kept beside the log.
    private func kept(
        of before: [UInt8], _ report: OpeningReport, _ files: MemoryFiles
    ) -> String? {
        guard script.layout == .file, let cut = report.cuts.last else { return nil }
        let whole = before.prefix(Int(cut.tail.position.offset)) + (files[cut.path] ?? [])
        // If the cut was made before the crash, only the end of the log shows it.
        let isMade = before.count <= Int(cut.tail.position.offset)
        return isMade || Array(whole) == before ? nil : "what was cut isn't kept"
    }

    static func bytes(of files: MemoryFiles) -> [UInt8] { files[CrashScript.path] ?? [] }
}
