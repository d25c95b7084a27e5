import PurchaseEvents
import Testing
import TestSupport

@testable import replay

struct MarkupTests {
    @Test func `markup in a text is only text`() {
        #expect(
            Markup.escape(#"<a href='x'>"&amp;"</a>"#)
                == "&lt;a href=&#39;x&#39;&gt;&quot;&amp;amp;&quot;&lt;/a&gt;")
        #expect(Markup.escape("plain — text ü 名") == "plain — text ü 名")
    }

    @Test func `control characters and what steers text direction are spelled out`() {
        #expect(
            Markup.escape("a\u{0}\u{1B}\u{85}\u{202E}\u{2066}b")
                == "a\\u0000\\u001b\\u0085\\u202e\\u2066b")
    }

    @Test func `no text of random scalars leaves markup or unsafe scalars`() {
        let seed: UInt64 = 24
        var dice = Dice(seed: seed)
        let scalars = (0...0x2FF).compactMap(Unicode.Scalar.init) + ["\u{202E}", "\u{2028}", "<"]
        for _ in 0..<Effort.of(whole: 5_000, part: 500) {
            var text = ""
            for _ in 0..<dice.below(12) { text.unicodeScalars.append(dice.pick(scalars)) }
            let escaped = Markup.escape(text)
            #expect(!escaped.contains(where: { "<>\"'".contains($0) }), "seed \(seed): \(text)")
            #expect(!escaped.unicodeScalars.contains { EscapedText.isUnsafe($0) })
            var reader = escaped
            for (reference, sign) in [
                ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&"),
            ] { reader = reader.replacing(reference, with: sign) }
            #expect(reader == EscapedText.escape(text), "seed \(seed)")
        }
    }

    @Test func `markup stands in order, and only text put into it is escaped`() {
        var page = Markup()
        page.add("<b>\("<")\(-3)</b>")
        page.add(json: #"["</script><!--"]"#)
        #expect(
            String(decoding: page.bytes, as: UTF8.self)
                == #"<b>&lt;-3</b>["\u003c/script>\u003c!--"]"#)
    }

    @Test func `the policy loads nothing and names the hashes of style and script`() {
        let policy = PagePolicy.text(style: "a", script: "b")
        #expect(policy.hasPrefix("default-src 'none'; style-src 'sha256-"))
        #expect(policy.contains("'sha256-ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs='"))
        #expect(policy.contains("script-src 'sha256-PiPoFgA5WUoziU9lZOGxNIu9egCI1CxKy3PurtWcAJ0='"))
    }
}
