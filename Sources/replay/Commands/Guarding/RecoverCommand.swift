import PurchaseEvents

/// `replay recover`: cuts off the torn tail of a log after a crash, and saves the tail beside the
/// log.
struct RecoverCommand: ToolCommand {
    static let name = "recover"
    static let operands = [Operand.log]
    static let options: [Option] = [.dryRun, .recoveredAt]

    let path: String
    let isDryRun: Bool
    let recordedAt: Timestamp?

    init(_ given: ParsedArguments) throws(UsageError) {
        guard given.operands.count == 1, given.operands[0] != "-" else {
            let seen =
                switch given.operands.count {
                case 0: ""
                case 1: ", seen standard input, which can't be cut"
                case let count: ", seen \(count): recover each by itself"
                }
            throw UsageError(
                "`replay recover` needs one log: a file or a folder of segments\(seen)")
        }
        path = given.operands[0]
        isDryRun = given.has(.dryRun)
        recordedAt = try given.time(.recoveredAt)
    }

    func run(_ session: ToolSession) throws -> ToolStatus {
        if case .file? = try? session.host.kind(of: path) {
            let head = InputHead(try session.bytes(of: path, upTo: LineDecoder.maximumLineLength))
            if session.refuseDocument(head, path) { return .undetermined }
            try refuseSegment(head)
        }
        let report: OpeningReport
        var isReadable = false
        do throws(EventLogError) {
            let found = try inspected()
            isReadable = true
            // Leave a damaged log unchanged; don't even create a lock file beside it.
            report =
                isDryRun || found.damage != nil
                ? found
                : try EventLog.recover(at: path, recordedAt: recordedAt ?? session.host.now)
        } catch {
            throw toolError(error, isReadable: isReadable)
        }
        return try tell(report, session)
    }

    /// Throws if a file is one segment of a log, whose lock belongs to the folder.
    private func refuseSegment(_ head: InputHead) throws(UsageError) {
        let place = path.lastIndex(of: "/")
        let name = place.map { String(path[$0...].dropFirst()) } ?? path
        guard let segment = SegmentName(name), segment.start == 0 || !head.beginsLog else { return }
        let folder = place.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        throw UsageError(
            "`\(path.escaped)` is one segment of a log: recover its folder `\(folder.escaped)`")
    }

    /// Inspects the log without changing it; throws the same error for an empty log as recovery.
    private func inspected() throws(EventLogError) -> OpeningReport {
        let report = try EventLog.inspect(at: path)
        guard report.hasLines || report.tail != nil || report.damage != nil else {
            throw .empty(path: path)
        }
        return report
    }

    private func tell(
        _ report: OpeningReport, _ session: ToolSession
    ) throws(ToolError) -> ToolStatus {
        let shown = path.escaped
        var lines: [String] = []
        for cut in report.cuts {
            lines.append(
                "\(shown):\(cut.tail.position.line): cut off \(bytes(cut.tail)), kept in "
                    + "\(cut.path.escaped), SHA-256 \(cut.sha256)")
        }
        if let tail = report.tail {
            let place = "\(bytes(tail)) after byte \(tail.position.offset)"
            lines.append(
                "\(shown):\(tail.position.line): "
                    + (report.damage == nil
                        ? "would cut off \(place), which no writer acknowledged"
                        : "left \(place), which no writer acknowledged"))
        }
        let isGone = !report.hasLines && report.damage == nil
        if isGone {
            lines.append(
                isDryRun
                    ? "\(shown): nothing of the log would be left"
                    : "\(shown): nothing of the log is left: create a new log")
        }
        if let damage = report.damage {
            lines.append("\(shown), \(damage): damaged, but not by a crash; nothing was changed")
        }
        lines += RecoverCommand.leftAlone(report, shown)
        let holds = RecoverCommand.contents(of: report)
        if lines.isEmpty { lines = ["\(shown): \(holds), nothing to recover"] }
        for line in lines { try session.output.line(line) }
        let isSound =
            report.damage == nil && report.tail == nil && report.problemCount == 0 && !isGone
        return isSound ? .well : .undetermined
    }

    static let problemLimit = 10

    /// One line for each of the first other problems of the log, and one about its contents.
    private static func leftAlone(_ report: OpeningReport, _ shown: String) -> [String] {
        let others = report.problems.filter { $0 != report.damage }
        guard !others.isEmpty else { return [] }
        let count = Int(clamping: report.problemCount) - (report.problems.count - others.count)
        var words = "\(count.counted("problem")), left as \(count == 1 ? "it is" : "they are")"
        if count > problemLimit { words += ", the first \(problemLimit) of them above" }
        return others.prefix(problemLimit).map { "\(shown), \($0)" }
            + ["\(shown): \(contents(of: report)); \(words)"]
    }

    private static func contents(of report: OpeningReport) -> String {
        var parts = [Int(clamping: report.events).counted("event")]
        if report.notUnderstood > 0 {
            parts.append("\(Int(clamping: report.notUnderstood).counted("line")) not understood")
        }
        if report.blank > 0 { parts.append(Int(clamping: report.blank).counted("blank line")) }
        return parts.joined(separator: ", ")
    }

    private func bytes(_ tail: LogTail) -> String { Int(clamping: tail.length).counted("byte") }

    private func toolError(_ error: EventLogError, isReadable: Bool) -> ToolError {
        switch error {
        case .notARegularFile(_, .folder):
            return .noInput(
                "`\(path.escaped)` is a folder without segments, so it isn't one log: expected "
                    + "a file, or a folder of files named by sixteen digits and .jsonl; of a "
                    + "folder of logs, recover each by itself")
        case .noSuchLog, .notARegularFile, .empty: return .noInput("\(error)")
        case .failed(.open, _, let problem) where !isReadable && problem.isDenied:
            return .noInput("\(error)")
        case .shrank(let file, let expected, let seen):
            guard let gap = RecoverCommand.gap(after: file, expected, seen) else {
                return .undetermined("\(error)")
            }
            return .undetermined("\(path.escaped): \(gap); nothing was changed")
        case .newerSchema: return .undetermined("\(error)")
        default: return .ioFailed("\(error)")
        }
    }

    /// What is missing behind a segment that has fewer bytes than expected; `nil` if the file isn't
    /// a segment.
    private static func gap(after file: String, _ expected: Int64, _ seen: Int64) -> SegmentGap? {
        guard let name = file.split(separator: "/").last, let segment = SegmentName(String(name))
        else { return nil }
        let (end, isTooLarge) = segment.start.addingReportingOverflow(expected)
        return isTooLarge
            ? nil : SegmentGap(bytes: expected - seen, next: SegmentName(start: end))
    }
}

extension OpeningReport {
    fileprivate var hasLines: Bool { events + notUnderstood + blank > 0 }
}
