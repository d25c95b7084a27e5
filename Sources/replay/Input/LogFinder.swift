import PurchaseEvents

/// Finds the logs that the arguments name, and reports which inputs aren't logs and why.
struct LogFinder {
    let session: ToolSession
    /// Whether logs are read more than once, so that the bytes of a pipe must be kept.
    let isReadAgain: Bool
    let keepsEmpty: Bool
    /// Whether each path is a separate log, so that no file continues another.
    let keepsApart: Bool
    private(set) var logs: [InputLog] = []
    /// Whether the next file may continue the latest log.
    private(set) var mayContinue = false

    /// The logs at the paths, in order; a binary input is reported and skipped, and so is an empty
    /// one unless `keepsEmpty` is true.
    mutating func find(_ paths: [String]) throws(ToolError) -> [InputLog] {
        for path in paths {
            if path == "-" {
                if let size = session.host.standardInputSize {
                    try add(file: path, size, isAlone: false)
                } else {
                    try add(stream: session.host.standardInput, path)
                }
                continue
            }
            switch try kind(of: path) {
            case .folder: try add(folder: path)
            case .file(let size): try add(file: path, size, isAlone: false)
            case .stream: try add(stream: try open(path), path)
            }
        }
        return logs.filter { log in
            guard log.size == 0, !keepsEmpty else { return true }
            session.refuseEmpty(log)
            return false
        }
    }

    private func kind(of path: String) throws(ToolError) -> PathKind {
        try ToolError.asking(to: .read, path, try session.host.kind(of: path))
    }

    private func open(_ path: String) throws(ToolError) -> any ByteSource {
        try ToolError.asking(to: .open, path, try session.host.source(of: path))
    }

    private mutating func add(folder: String) throws(ToolError) {
        let base = folder.hasSuffix("/") ? folder : folder + "/"
        let names = try ToolError.asking(to: .read, folder, try session.host.names(in: folder))
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        let segments = SegmentName.all(among: names)
        if !segments.isEmpty { return try add(segments, of: folder, base, names) }
        var found = false
        for name in names where name.hasSuffix(".jsonl") && !name.hasPrefix(".") {
            do {
                guard try add(entry: base + name) else { continue }
            } catch  where error.status == .noInput {
                session.miss(error.message)
            }
            found = true
        }
        guard !found else { return }
        let deeper = names.first { name in
            let names = try? session.host.names(in: base + name)
            return names?.contains { $0.hasSuffix(".jsonl") } ?? false
        }
        let hint = deeper.map { "; `\((base + $0).escaped)` has some" } ?? ""
        throw .noInput("no logs in `\(folder.escaped)`: expected files named *.jsonl\(hint)")
    }

    /// Adds a folder's entry that is named like a log; returns `false` if the entry is itself a
    /// folder.
    private mutating func add(entry path: String) throws(ToolError) -> Bool {
        let shown = path.escaped
        if isUnnameable(path) { throw .noInput("cannot read `\(shown)`: its name is not UTF-8") }
        switch try kind(of: path) {
        case .folder: return false
        case .stream:
            throw .noInput(
                "`\(shown)` is left out: expected a file in the folder, seen a pipe or a device")
        case .file(let size): try add(file: path, size, isAlone: true)
        }
        return true
    }

    /// Whether a listed name isn't UTF-8: U+FFFD replaces the wrong bytes, so the system finds no
    /// file with this name.
    private func isUnnameable(_ path: String) -> Bool {
        path.unicodeScalars.contains("\u{FFFD}") && (try? session.host.kind(of: path)) == nil
    }

    /// Adds a folder of segments as one log; each segment counts up to the start of the next.
    private mutating func add(
        _ segments: [SegmentName], of folder: String, _ base: String, _ names: [String]
    ) throws(ToolError) {
        let shown = folder.escaped
        let other = names.first { name in
            name.hasSuffix(".jsonl") && !name.hasPrefix(".") && SegmentName(name) == nil
        }
        if let other {
            throw .noInput(
                "`\(shown)` holds the segments of a log and `\(other.escaped)`, which "
                    + "is not a segment: name the files to read")
        }
        var log = InputLog(parts: [])
        var end: Int64 = 0
        for (index, segment) in segments.enumerated() {
            guard case .file(let size) = try kind(of: base + segment.text) else { continue }
            if segment.start > end {
                session.refuse("\(shown): \(SegmentGap(bytes: segment.start - end, next: segment))")
            }
            let next = index + 1 < segments.count ? segments[index + 1].start : nil
            let limit = next.map { Int(clamping: $0 - segment.start) }
            log.parts.append(
                InputPart(path: base + segment.text, size: size, limit: limit, host: session.host))
            end = segment.start + Int64(min(size, limit ?? size))
        }
        mayContinue = false
        logs.append(log)
    }

    private mutating func add(file path: String, _ size: Int, isAlone: Bool) throws(ToolError) {
        let head = try peek(try open(path), path)
        let part = InputPart(path: path, size: size, host: session.host)
        try add(part, InputHead(head.head), isAlone: isAlone)
    }

    private mutating func add(stream source: any ByteSource, _ path: String) throws(ToolError) {
        let peeked = try peek(source, path)
        let head = InputHead(peeked.head)
        // A binary stream isn't kept in memory, since it may never end.
        let part = try InputPart(
            path: path, stream: peeked,
            keeping: peeked.head.isEmpty || isReadAgain && head.binary == nil, host: session.host)
        try add(part, head, isAlone: false)
    }

    private func peek(
        _ source: any ByteSource, _ path: String
    ) throws(ToolError) -> ExaminedSource {
        let peeked = ExaminedSource(source)
        do {
            try peeked.examineLine()
            return peeked
        } catch {
            throw .cannotRead(path, error)
        }
    }

    private mutating func add(
        _ part: InputPart, _ head: InputHead, isAlone: Bool
    ) throws(ToolError) {
        defer { mayContinue = !isAlone }
        if session.refuseDocument(head, part.path) { return }
        if let binary = head.binary {
            return session.refuse(
                "\(part.path.escaped) is \(binary), not a log: expected one JSON object a line")
        }
        if mayContinue, !isAlone, !keepsApart, !logs.isEmpty, !head.beginsLog {
            logs[logs.count - 1].parts.append(part)
        } else {
            logs.append(InputLog(parts: [part]))
        }
    }
}
