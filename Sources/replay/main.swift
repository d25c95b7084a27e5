import PurchaseProjections

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

SystemHost.endQuietlyOnBrokenPipe()
// Lives until the process ends.
let session = ToolSession(SystemHost(), rules: RuleCatalogue.all)
exit(Tool.run(Array(CommandLine.arguments.dropFirst()), in: session).rawValue)
