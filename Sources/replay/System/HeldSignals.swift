import Dispatch

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Holds the first SIGINT or SIGTERM back, for whoever waits; the second one ends the process.
final class HeldSignals {
    private let came = DispatchSemaphore(value: 0)
    private let sources: [any DispatchSourceSignal]
    private var hasCome = false

    /// Begins to hold signals, until the process ends.
    init() {
        let numbers = [SIGINT, SIGTERM]
        sources = numbers.map { DispatchSource.makeSignalSource(signal: $0, queue: .global()) }
        for source in sources {
            source.setEventHandler { [came] in
                for number in numbers { signal(number, SIG_DFL) }
                came.signal()
            }
            source.resume()
        }
        // Only now, so that a signal meanwhile still ends the process.
        for number in numbers { signal(number, SIG_IGN) }
    }

    /// Waits; returns `false` at once where a signal came.
    func pause(for duration: Duration) -> Bool {
        let (seconds, attoseconds) = duration.components
        let end =
            DispatchTime.now() + .seconds(Int(clamping: seconds))
            + .nanoseconds(Int(attoseconds / 1_000_000_000))
        hasCome = hasCome || came.wait(timeout: end) == .success
        return !hasCome
    }
}
