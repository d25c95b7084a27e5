import Foundation
import PurchaseEvents
import PurchaseProjections
let args = CommandLine.arguments
let mode = args[1]
let fd = open(args[2], O_RDONLY)
let reader = LogReader(threads: Int(args[3])!)
var check = Check(mode == "all" ? RuleCatalogue.all : [], names: reader.decoder.names)
var n = 0
let t0 = Date()
    try reader.read(DescriptorSource(descriptor: fd)) { line in
        n += 1
        if mode != "decode" { check.observe(line) }
        return true
    }
print(n, Date().timeIntervalSince(t0), reader.counts, mode == "facts" ? check.facts.lines.count : 0)
