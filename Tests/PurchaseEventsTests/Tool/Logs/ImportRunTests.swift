import Foundation
import PurchaseEvents
import Testing

@testable import replay

@Suite struct ImportRunTests {
    @Test func `what can't be mapped is told and gives status 2`() {
        let ran = replay("import", "app-store", "a", on: TestHost(["a": "{}"]))
        #expect(ran.status == .undetermined)
        #expect(ran.output.isEmpty)
        #expect(ran.error.hasPrefix("a:1: error: "))
        let warned = replay("import", "app-store", "a", on: TestHost(["a": #"{"status":"x"}"#]))
        #expect(warned.status == .undetermined)
        #expect(warned.error.hasPrefix("a:1: warning: status: expected an integer"))
        // An unknown key or a missing date is a note, and the status stays 0.
        let noted = #"{"status":21000,"receipt":{"new_key":1}}"#
        let well = replay("import", "app-store", "a", on: TestHost(["a": noted]))
        #expect(well.status == .well)
        #expect(well.error.contains("a:1: note: ") && !well.error.contains("warning"))
    }

    @Test func `a file that is too large is to be split`() {
        let host = TestHost(["s": String(repeating: "s", count: (64 << 10) + 1), "a": "{}"])
        let secret = replay("import", "app-store", "a", "--shared-secret-file=s", on: host)
        #expect(secret.error.hasSuffix("65,536 bytes; name a file that holds only the secret\n"))
        let large = TestHost()
        large.files["a"] = [UInt8](repeating: 0x20, count: ImportCommand.largestFile + 1)
        let ran = replay("import", "app-store", "a", on: large)
        #expect(ran.status == .noInput)
        #expect(ran.error.hasSuffix(" bytes; split the file and name all the parts\n"))
    }

    @Test func `files that can't be read are told`() {
        let missing = replay("import", "app-store", "a")
        #expect(missing.status == .noInput)
        let folder = replay("import", "app-store", "a", on: TestHost(["a/b": "{}"]))
        #expect(folder.error == "replay: `a` is a folder: expected a file\n")
        #expect(folder.status == .noInput)
        let secret = replay(
            "import", "app-store", "a", "--shared-secret-file=s",
            on: TestHost(["a": "{}", "s": "\n"]))
        #expect(secret.error == "replay: `s` is empty: expected the shared secret\n")
    }
}
