import Foundation

/// Times parts of the libraries in one process: `benchmark parts LOG [EVENTS]`,
/// `benchmark appends FOLDER [EVENTS]` and `benchmark signatures`.
let arguments = Array(CommandLine.arguments.dropFirst())
let usage = """
    usage: benchmark parts LOG [EVENTS]       ns an event of decoding, facts, projections, rules
           benchmark appends FOLDER [EVENTS]  events a second of durable appends, in a new log
           benchmark signatures               verifications a second, of each kind

    """

do {
    let count = arguments.count > 2 ? Int(arguments[2]) : nil
    switch (arguments.first, arguments.count) {
    case ("parts", 2...3): try PartTimes(log: arguments[1], events: count ?? 200_000).print()
    case ("appends", 2...3):
        try await AppendTimes(folder: arguments[1], events: count ?? 2_000).print()
    case ("signatures", 1): try SignatureTimes().print()
    default:
        FileHandle.standardError.write(Data(usage.utf8))
        exit(64)
    }
} catch {
    FileHandle.standardError.write(Data("benchmark: \(error)\n".utf8))
    exit(74)
}
