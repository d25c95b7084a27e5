import Foundation

/// The processor time that this thread takes for something, in seconds.
///
/// Other work of a busy machine doesn't count, except what it takes from the caches.
package func threadTime(_ body: () -> Void) -> Double {
    func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
    }
    let start = now()
    body()
    return now() - start
}
