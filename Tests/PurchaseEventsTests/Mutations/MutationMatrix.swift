import Foundation
import PurchaseEvents
import PurchaseProjections

/// Which rule notices which mutation of which valid log.
struct MutationMatrix: Sendable {
    /// Mutants of one mutation at the events of one type.
    struct Cell: Sendable {
        var mutants = 0
        /// Noticed at error or warning level; only by a note; by nobody.
        var noticed = 0, noted = 0, unnoticed = 0
        /// The places that nobody noticed, as `sample:line`.
        var places: [String] = []
    }

    /// What a rule noticed of a mutation.
    struct Kills: Sendable {
        var grave = 0, notes = 0
    }

    /// By the number of the mutation and the type of the mutated event.
    var cells: [Pair: Cell] = [:]
    /// By the number of the mutation and that of the rule.
    var kills: [Pair: Kills] = [:]
    /// Errors and warnings on the samples as they are.
    var falseFindings: [String] = []
    /// Mutants with a line that was not understood: a fault of the mutation.
    var misunderstood: [String] = []

    struct Pair: Hashable, Sendable {
        var mutation: Int
        var other: Int
    }

    /// The matrix of every mutation at every place of the logs of a folder.
    static func build(_ files: [URL]) async throws -> MutationMatrix {
        try await withThrowingTaskGroup(of: MutationMatrix.self) { group in
            for file in files {
                group.addTask { try MutationMatrix(file) }
            }
            return try await group.reduce(into: MutationMatrix()) { $0.add($1) }
        }
    }

    private init() {}

    private init(_ file: URL) throws {
        let sample = file.deletingPathExtension().lastPathComponent
        let decoder = LineDecoder()
        let log = try Folders.bytes(of: file).split(separator: 0x0A).compactMap { line in
            let decoded = line.withUnsafeBytes { decoder.decodeWritten($0) }
            return if case .event(let event) = decoded {
                try MutableRow(event)
            } else {
                nil
            }
        }
        let fold = SampleFold()
        let valid = try fold.counts(of: log)
        falseFindings = valid.told.map { "\(sample): \($0)" }
        for (number, mutation) in Mutation.all.enumerated() {
            for index in log.indices {
                for mutant in mutation.mutants(log, index) where mutant != log {
                    let counts = try fold.counts(of: mutant)
                    if counts.isMisunderstood {
                        misunderstood.append("\(mutation.name): \(sample)")
                    }
                    add(counts, valid, number, log[index].type, "\(sample):\(index + 1)")
                }
            }
        }
    }

    private mutating func add(
        _ counts: SampleFold.Counts, _ valid: SampleFold.Counts, _ mutation: Int,
        _ type: EventType, _ place: String
    ) {
        var isNoticed = false, isNoted = false
        for rule in counts.grave.indices {
            let pair = Pair(mutation: mutation, other: rule)
            if counts.grave[rule] > valid.grave[rule] {
                isNoticed = true
                kills[pair, default: Kills()].grave += 1
            } else if counts.notes[rule] > valid.notes[rule] {
                isNoted = true
                kills[pair, default: Kills()].notes += 1
            }
        }
        let pair = Pair(mutation: mutation, other: Int(type.rawValue))
        cells[pair, default: Cell()].mutants += 1
        if isNoticed {
            cells[pair, default: Cell()].noticed += 1
        } else if isNoted {
            cells[pair, default: Cell()].noted += 1
        } else {
            cells[pair, default: Cell()].unnoticed += 1
            cells[pair, default: Cell()].places.append(place)
        }
    }

    private mutating func add(_ other: MutationMatrix) {
        cells.merge(other.cells) { left, right in
            Cell(
                mutants: left.mutants + right.mutants, noticed: left.noticed + right.noticed,
                noted: left.noted + right.noted, unnoticed: left.unnoticed + right.unnoticed,
                places: (left.places + right.places).sorted())
        }
        kills.merge(other.kills) { left, right in
            Kills(grave: left.grave + right.grave, notes: left.notes + right.notes)
        }
        falseFindings += other.falseFindings
        misunderstood += other.misunderstood
    }
}

/// Folds the mutants of one sample with all rules; the names are shared by all of them.
final class SampleFold {
    /// What the rules found, by the rule's place in the catalogue.
    struct Counts {
        var grave: [Int]
        var notes: [Int]
        /// The errors and warnings as text.
        var told: [String]
        var isMisunderstood: Bool
    }

    private let names = NameTable()
    private let beginning: Check

    init() { beginning = Check(names: names) }

    func counts(of log: [MutableRow]) throws -> Counts {
        let bytes = log.enumerated().flatMap { $1.line($0 + 1) }
        let reader = LogReader(decoder: LineDecoder(names: names))
        var check = beginning
        try reader.read(MemorySource(bytes)) { line in
            check.observe(line)
            return true
        }
        let reports = check.finish().map(\.report)
        return Counts(
            grave: reports.map { $0.counts[.error, default: 0] + $0.counts[.warning, default: 0] },
            notes: reports.map { $0.counts[.note, default: 0] },
            told: reports.flatMap(\.findings).filter { $0.level != .note }.map {
                "\($0.line) [\($0.rule)] \($0.message)"
            },
            isMisunderstood: reader.counts.events != log.count)
    }
}
