#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

SystemHost.endQuietlyOnBrokenPipe()
exit(Tool.run(Array(CommandLine.arguments.dropFirst()), on: SystemHost()).rawValue)
