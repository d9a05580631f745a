# Homebrew formula that builds from git. Copy it to a tap.
class Bsc < Formula
  desc "Compress, clean and share volleyball clips"
  homepage "https://example.invalid/bsc"
  head "https://example.invalid/bsc.git", branch: "main"
  license "Apache-2.0"

  depends_on "pkgconf" => :build
  depends_on xcode: ["26.0", :build]
  depends_on "curl"
  depends_on "ffmpeg"
  depends_on macos: :sequoia
  depends_on "zimg"

  def install
    system "swift", "build", "-c", "release", "--product", "bsc", "--disable-sandbox"
    system "Scripts/install", "--prefix", prefix, "--bsc", ".build/release/bsc"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/bsc --version") unless build.head?
    assert_match "no such command", shell_output("#{bin}/bsc nonsense 2>&1", 64)
  end
end
