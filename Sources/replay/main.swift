import PurchaseProjections

guard StandardDescriptors.areOpened() else { exit(ToolStatus.ioFailed.rawValue) }
SystemHost.endQuietlyOnBrokenPipe()
// Lives until the process ends.
let session = ToolSession(SystemHost(), rules: RuleCatalogue.all)
exit(Tool.run(Array(CommandLine.arguments.dropFirst()), in: session).rawValue)
