import PurchaseSignatures
import PurchaseSimulation
import TestSigning
import Testing

/// The signatures of RFC 6979, appendix A.2: the same for everyone with the same key and message.
struct NonceTests {
    /// A signature that the appendix lists: r and s in hex.
    private struct Vector {
        let algorithm: SignatureAlgorithm
        let message: String
        let r: String, s: String
    }

    private func check(
        _ curve: SigningCurve, secret: String, point: String, _ vectors: [Vector]
    ) throws {
        let key = try #require(ECDSAKey(curve, secret: TestHex.bytes(secret)))
        switch key.publicKey {
        case .p256(let seen), .p384(let seen): #expect(TestHex.text(seen) == point.lowercased())
        case .rsa: Issue.record("the key isn't an RSA key")
        }
        for vector in vectors {
            let signature = key.signature(of: Array(vector.message.utf8), vector.algorithm)
            #expect(TestHex.text(signature) == (vector.r + vector.s).lowercased())
        }
    }

    @Test func `the signatures on P-256 are those of A.2.5`() throws {
        try check(
            .p256, secret: "C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721",
            point: "60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6"
                + "7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299",
            [
                Vector(
                    algorithm: .ecdsaSHA256, message: "sample",
                    r: "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716",
                    s: "F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8"),
                Vector(
                    algorithm: .ecdsaSHA384, message: "sample",
                    r: "0EAFEA039B20E9B42309FB1D89E213057CBF973DC0CFC8F129EDDDC800EF7719",
                    s: "4861F0491E6998B9455193E34E7B0D284DDD7149A74B95B9261F13ABDE940954"),
                Vector(
                    algorithm: .ecdsaSHA256, message: "test",
                    r: "F1ABB023518351CD71D881567B1EA663ED3EFCF6C5132B354F28D3B0B7D38367",
                    s: "019F4113742A2B14BD25926B49C649155F267E60D3814B4C0CC84250E46F0083"),
                Vector(
                    algorithm: .ecdsaSHA384, message: "test",
                    r: "83910E8B48BB0C74244EBDF7F07A1C5413D61472BD941EF3920E623FBCCEBEB6",
                    s: "8DDBEC54CF8CD5874883841D712142A56A8D0F218F5003CB0296B6B509619F2C"),
            ])
    }

    @Test func `the signatures on P-384 are those of A.2.6`() throws {
        try check(
            .p384,
            secret: "6B9D3DAD2E1B8C1C05B19875B6659F4DE23C3B667BF297BA9AA47740787137D8"
                + "96D5724E4C70A825F872C9EA60D2EDF5",
            point: "EC3A4E415B4E19A4568618029F427FA5DA9A8BC4AE92E02E06AAE5286B300C64"
                + "DEF8F0EA9055866064A254515480BC13"
                + "8015D9B72D7D57244EA8EF9AC0C621896708A59367F9DFB9F54CA84B3F1C9DB1"
                + "288B231C3AE0D4FE7344FD2533264720",
            [
                Vector(
                    algorithm: .ecdsaSHA256, message: "sample",
                    r: "21B13D1E013C7FA1392D03C5F99AF8B30C570C6F98D4EA8E354B63A21D3DAA33"
                        + "BDE1E888E63355D92FA2B3C36D8FB2CD",
                    s: "F3AA443FB107745BF4BD77CB3891674632068A10CA67E3D45DB2266FA7D1FEEB"
                        + "EFDC63ECCD1AC42EC0CB8668A4FA0AB0"),
                Vector(
                    algorithm: .ecdsaSHA384, message: "sample",
                    r: "94EDBB92A5ECB8AAD4736E56C691916B3F88140666CE9FA73D64C4EA95AD133C"
                        + "81A648152E44ACF96E36DD1E80FABE46",
                    s: "99EF4AEB15F178CEA1FE40DB2603138F130E740A19624526203B6351D0A3A94F"
                        + "A329C145786E679E7B82C71A38628AC8"),
            ])
    }

    @Test func `a secret is a number from 1 to the order minus 1, as wide as the curve`() {
        let order = "FFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551"
        #expect(ECDSAKey(.p256, secret: TestHex.bytes(order)) == nil)
        #expect(ECDSAKey(.p256, secret: [UInt8](repeating: 0, count: 32)) == nil)
        #expect(ECDSAKey(.p256, secret: [1]) == nil)
        #expect(ECDSAKey(.p384, secret: TestHex.bytes(order)) == nil)
    }
}
