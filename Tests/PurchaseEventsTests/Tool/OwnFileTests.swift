import Foundation
import Testing

@testable import replay

/// The files of a folder that an import passes over.
struct OwnFileTests {
    private func words(_ text: String, _ name: String = "a") -> String? {
        OwnFile.words(of: Array(text.utf8), name: name)
    }

    @Test func `a certificate is one as PEM and as DER`() throws {
        let path = "events/reconcile/root.pem"
        let pem = try Folders.bytes(of: Folders.root.appending(path: path))
        #expect(OwnFile.words(of: pem, name: "root.pem") == "a certificate")
        let digits = String(decoding: pem, as: UTF8.self).split(separator: "\n")
            .filter { !$0.hasPrefix("-") }.joined()
        let der = try #require(Data(base64Encoded: digits))
        #expect(OwnFile.words(of: Array(der), name: "root.cer") == "a certificate")
        #expect(OwnFile.words(of: Array(der.dropLast(9)), name: "root.cer") == nil)
    }

    @Test func `a table without App Store data is one, and nothing that may hold some`() {
        let table = "a table without App Store data"
        #expect(words("at,tx\n1777622400,1\n", "rows.csv") == table)
        #expect(words("at\ttx\n1777622400\t1") == table)
        #expect(words("at,note\n1,\"two\nlines\"\n2,x\n3", "rows.csv") == table)
        for text in [
            "at,tx\n", "hello, world\n", "hello, world\nsecond line\n", "tx\n1\n",
            "at,tx\n1,2\n1\n3,4\n", "eyJhIjoxfQ.e30.AA\neyJhIjoxfQ.e30.AA\n",
            "at,raw\n1,eyJhIjoxfQ.e30.AA\n",
        ] {
            #expect(words(text) == nil, "\(text)")
        }
    }
}
