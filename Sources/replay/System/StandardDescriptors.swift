enum StandardDescriptors {
    /// Opens those that the parent process left closed; returns whether all are open now.
    ///
    /// The next file that the tool opens would otherwise get the number of a closed one, and the
    /// text for standard output would go into that file. A closed one is opened in the wrong
    /// direction, so that reading or writing it still fails.
    static func areOpened() -> Bool {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
            guard fcntl(descriptor, F_GETFD) < 0, errno == EBADF else { continue }
            // The lower numbers are open by now, and the system takes the lowest free one.
            let access = descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY
            guard open("/dev/null", access) == descriptor else { return false }
        }
        return true
    }
}
