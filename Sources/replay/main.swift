import PurchaseProjections

SystemHost.endQuietlyOnBrokenPipe()
// Lives until the process ends.
let session = ToolSession(SystemHost(), rules: RuleCatalogue.all)
exit(Tool.run(Array(CommandLine.arguments.dropFirst()), in: session).rawValue)
