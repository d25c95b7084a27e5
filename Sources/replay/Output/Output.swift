import PurchaseEvents

/// Standard output, or a file that is made, with a buffer of 64 KiB.
final class Output {
    private let name: String
    private let send: (UnsafeRawBufferPointer) throws(SystemProblem) -> Void
    private var buffer: [UInt8] = []

    init(
        named name: String, _ send: @escaping (UnsafeRawBufferPointer) throws(SystemProblem) -> Void
    ) { (self.name, self.send) = (name, send) }

    convenience init(_ host: any Host) {
        self.init(named: "standard output") { bytes throws(SystemProblem) in
            try host.write(bytes, to: .output)
        }
    }

    func line(_ text: String) throws(ToolError) {
        buffer.append(contentsOf: text.utf8)
        buffer.append(UInt8(ascii: "\n"))
        if buffer.count >= 1 << 16 { try flush() }
    }

    func write(_ bytes: some Collection<UInt8>) throws(ToolError) {
        buffer.append(contentsOf: bytes)
        if buffer.count >= 1 << 16 { try flush() }
    }

    func append<Problem: Error>(_ write: (inout [UInt8]) throws(Problem) -> Void) throws {
        try write(&buffer)
        if buffer.count >= 1 << 16 { try flush() }
    }

    func flush() throws(ToolError) {
        guard !buffer.isEmpty else { return }
        let bytes = buffer
        buffer.removeAll(keepingCapacity: true)
        do throws(SystemProblem) {
            try bytes.withBytes(send)
        } catch {
            throw .ioFailed("cannot write \(name): \(error.words)")
        }
    }
}
