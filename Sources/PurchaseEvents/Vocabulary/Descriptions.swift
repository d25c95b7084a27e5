extension Timestamp: CustomStringConvertible {
    /// The canonical text, such as `2026-03-02T09:00:05.000Z`.
    public var description: String { text }
}

extension Event: CustomStringConvertible where S == Written {
    /// The canonical line, such as
    /// `{"seq":2,"at":"2026-03-02T09:00:05.000Z","type":"app.launched"}`; if the format can't hold
    /// the event, what is wrong with it.
    public var description: String {
        do throws(WritingProblem) {
            return String(decoding: try LineWriter.line(of: self), as: UTF8.self)
        } catch {
            return "\(type.wireName) that can't be written: \(error)"
        }
    }
}
