import PurchaseEvents
import PurchaseSignatures
import PurchaseSimulation

/// A 2048-bit RSA key made for these tests and used nowhere else.
package struct TestRSAKey: Sendable {
    /// Modulus and private exponent, big-endian.
    package let modulus: [UInt8], privateExponent: [UInt8]

    /// The public exponent, 65537.
    package static let exponent: [UInt8] = [1, 0, 1]

    private init(modulus: String, privateExponent: String) {
        self.modulus = TestHex.bytes(modulus)
        self.privateExponent = TestHex.bytes(privateExponent)
    }

    /// The signatures made so far, by modulus and hash: a debug build takes a third of a second for
    /// each.
    private static let signatures = Protected<[[[UInt8]]: [UInt8]]>([:])

    /// A signature over a hash (RSASSA-PKCS1-v1_5), which is the same each time.
    package func sign(_ hash: [UInt8], _ function: HashFunction) -> [UInt8] {
        let message = [modulus, hash]
        if let known = TestRSAKey.signatures.withLock({ $0[message] }) { return known }
        let signature = signed(hash, function)
        TestRSAKey.signatures.withLock { $0[message] = signature }
        return signature
    }

    private func signed(_ hash: [UInt8], _ function: HashFunction) -> [UInt8] {
        let name = function == .sha1 ? "1.3.14.3.2.26" : "2.16.840.1.101.3.4.2.1"
        let info = DERWriter.sequence(
            DERWriter.sequence(DERWriter.identifier(name), DERWriter.null), DERWriter.octets(hash))
        let filling = [UInt8](repeating: 0xFF, count: modulus.count - info.count - 3)
        let padded = [0, 1] + filling + [0] + info
        return MontgomeryPower.raise(padded, to: privateExponent, modulo: modulus) ?? []
    }

    /// Keys for a root, an intermediate and a leaf.
    package static let all: [TestRSAKey] = [
        TestRSAKey(
            modulus:
                "a8a5f76908cf0cf5ac9bd48c002448f37658a1036aa7590291d41b85c641f0775f814e78f777"
                + "fab230d5557b2b2198d04f824a358370b1a890c05d3cae6210b73fade748f48b08dec360e6ee"
                + "b3dc9f293a12e96212a7964b342ae5bdbf7c6636e7bf27ffa5c1e156d277de4497b7cde2f6e4"
                + "e0630c67f4f86c7fcf4799b3cc6572cc546a6bc7e4ed7820dd592831bd7dcf7885c5e315962b"
                + "1020169fc086b561e027cd6ec1b92f7b1f031d96dbf5648f3ea83bca4e47e4a26a06d7606fd2"
                + "587f23f1467bf31aae87f025d3ed48f63a435d5c0dd7348653c07ca17cf53eb54f95c1945f72"
                + "fff2446aaa813cfe35283744718e1314d1dfd7ae1dc8839619a92bf9",
            privateExponent:
                "39230d88f0da9125f4c650c2e3d36741d0d1232ff0a4e4d3a98b668db287298c8ff7539a4921"
                + "4576b473ba83c1af9ec1c88638551c0484b43ae269544332673e665d29343ee191ee42dc6430"
                + "f00fe97e82b5e08b010df52de26d3c2bc6a1c3518bbf6832453ac3f8f1d279a3dc9101b888f4"
                + "2f0f6fa712c84d9e19a044f334e686c19f467ddc6b96631d8758f8986ab2301118c77a121349"
                + "41c1379c16a93a9d66d03826cba35272bc3dd38dd6c8d01895bd8ea72429d349914299fd32c8"
                + "826d915a96b2e18bd98623bd1cd649d07510d63367e78c5f99fb02beee270d43f2a2afe44abe"
                + "4d86777783195dd67a68fbf18ad4f9d53bbf4905c52bf4029528621f"),
        TestRSAKey(
            modulus:
                "b5fa7e965eed7257ef431457b06f88a867bbb5b28481b1e61fe44e1f3cd16a5485725d058df2"
                + "71949b6421b61b8a081e6b3f540a3ade9fc8cf7a85bfe777c5c2c7641b6c985fb2a4e3608a4d"
                + "be9635a55fcabb6e34e74c36d16e5256cc2d686f679400c8e222b1eda3cb74a61462acc46723"
                + "2ba0f0624bd6de010722df0d2b472c6c89b741e2b1fd7aa660cb1fb08652889772a028d57667"
                + "fd331b4cb412e9ea3c5a909174ee722869be2648ead1e35b2c87d0fcfb5f8b45f8c45ae3a611"
                + "8d4a6c7434ec79d89c62b5615fa45f0f13f054df4ae34a5e16eb51bbb1382ad37dd83935f744"
                + "64d063e16101c3d1d90d635b2dc41397f223d947a41ff45154c5db07",
            privateExponent:
                "0546f4d9ce79eb4972864af63a0719faec3b2ccb36fd7dd7b3100f55e7911918c75fe823ab98"
                + "9ec394f803e4408b31ae14251b7e4a73bf457702d2131d16c394e0ec5dc139eff881c098419a"
                + "7c8ee5925ca347e92bbe935eb9970deb37738fa63f6632d9a0792a18be99bd51bda098eaff24"
                + "ad74b6d3dae829baf4e6857a5fc95d71f48e5be29a58660efb5e4fe8adf67229cc056d4f2b56"
                + "88db7b7959c6e18a394a118df586b841ae935ab279a847e92dd17dd22a220ce90f02261b89fa"
                + "c7345e0850b599497952030c34810e54bfea7e43342e56db1f77e437a0cc1165c9a189825d2b"
                + "04f7eac7df874ab3b5367b2b7de6a7c05351acd13774a2cc2f445265"),
        TestRSAKey(
            modulus:
                "bd34661c64f4bb68ee51a63ca700a739646384d58b196ac78908dba9ffd62bfd7e225c95f079"
                + "f2cbe555994afe643de3d13bd41240793e014ffcbec90a69bf3d3ffbbfc965b7d7de6c3b6563"
                + "9531fbf5178745c243dbb7c59bec749885d7c5ea3efe3f4ffceb440952b54dcdb94fbb98ed05"
                + "734f7fc5a17e039439f0b42d91b5a93e9126bb087f99211e8e28f6fe4fe573b9574e38a5c063"
                + "0b06c74f1565465583bd64764cef0741e7f926097b0d68ceaffad8e84ca59ce124cca05febc1"
                + "199e293999d12b07fdf7d68fc5ba4a7ecf2b5a2a82d15b294e19f3e88cff38a689f1c8e9adfa"
                + "175870ff2b1c33010f15764de28b3a9c789f56d4937381dc21155245",
            privateExponent:
                "08a1142b255b98149011ff3ff2e9efb6896294935cb5bb0e00acfbbfc420537f4b3a6bf896b0"
                + "2927ad7cfaf1d5aa62bc3a35bd555bc56bd3897f608030ce63df7a449419ae5ef5247ad136ad"
                + "9507639369104d592fd91c8791b5f61762bb55967a6b041e34cdd21b8ebf201e4ade5d12fb74"
                + "6d2eea07ec769fd929cf55986275cf7dbc0547bf9500aa2053017eb5279cf6ab3beff83852cc"
                + "40049fa33fd5daf7ac5142b3059fb14864cb5270b6abcafbd378fae5566041fdce5dd925ed4b"
                + "bf13aa5e1d340e51eefefe9179a648a3a6fd9ca622788139eb3fe2044a583a374b6166934e5d"
                + "13d8eb794a1407bc58d6886f30a378e470b60c2ee5a9e229988df361"),
    ]
}

/// Converts bytes to and from hex digits.
package enum TestHex {
    /// The bytes of hex digits, two digits a byte.
    package static func bytes(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        var high: Int?
        for digit in text {
            guard let value = digit.hexDigitValue else { continue }
            if let first = high {
                bytes.append(UInt8(first << 4 | value))
                high = nil
            } else {
                high = value
            }
        }
        return bytes
    }

    /// Two hex digits for each byte.
    package static func text(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
