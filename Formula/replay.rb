# A Homebrew formula for a tap. Scripts/release makes the archives and their sums; replace OWNER and
# the zeros.
class Replay < Formula
  desc "Checks purchase event logs against the rules of In-App Purchase"
  homepage "https://github.com/OWNER/purchase-events"
  version "0.1.0"
  license "MIT"

  on_macos do
    url "https://github.com/OWNER/purchase-events/releases/download/0.1.0/replay-0.1.0-macos-universal.tar.gz"
    sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  end

  on_linux do
    on_intel do
      url "https://github.com/OWNER/purchase-events/releases/download/0.1.0/replay-0.1.0-linux-x86_64.tar.gz"
      sha256 "0000000000000000000000000000000000000000000000000000000000000000"
    end
    on_arm do
      url "https://github.com/OWNER/purchase-events/releases/download/0.1.0/replay-0.1.0-linux-aarch64.tar.gz"
      sha256 "0000000000000000000000000000000000000000000000000000000000000000"
    end
  end

  def install
    bin.install "bin/replay"
    man1.install "share/man/man1/replay.1"
    bash_completion.install "share/bash-completion/completions/replay"
    zsh_completion.install "share/zsh/site-functions/_replay"
    fish_completion.install "share/fish/vendor_completions.d/replay.fish"
  end

  test do
    (testpath/"log.jsonl").write <<~EOS
      {"seq":1,"at":"2026-03-02T09:00:00.000Z","type":"log.opened","schema":1}
      {"seq":2,"at":"2026-03-02T09:00:05.000Z","type":"queue.purchased","transaction":"1","product":"com.example.pro","purchasedAt":"2026-03-02T09:00:05.000Z"}
      {"seq":3,"at":"2026-03-02T09:00:07.000Z","type":"queue.finished","transaction":"1"}
    EOS
    assert_match "finished-implies-delivered", shell_output("#{bin}/replay check log.jsonl", 1)
    assert_match version.to_s, shell_output("#{bin}/replay --version")
  end
end
