import Foundation

// Writes a shape of a size to standard output, or lists the shapes.
//
//     growth list
//     growth NAME COUNT

let arguments = CommandLine.arguments.dropFirst()
if arguments == ["list"] {
    for shape in GrowthShape.all { print(shape.name, shape.input.rawValue, shape.count) }
} else if arguments.count == 2, let count = Int(arguments[2]), count > 0,
    let shape = GrowthShape.all.first(where: { $0.name == arguments[1] })
{
    print(shape.text(count), terminator: "")
} else {
    FileHandle.standardError.write(Data("usage: growth list, or growth NAME COUNT\n".utf8))
    exit(64)
}
