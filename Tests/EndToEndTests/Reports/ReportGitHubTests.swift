import ClipModel
import Foundation
import Testing

@testable import Reports
@testable import bsc

@Suite struct ReportGitHubTests {
  @Test func severitiesBecomeSortedCommands() throws {
    let lines = try ReportSamples.write(.github, [ReportSamples.refused, ReportSamples.warned]).split(separator: "\n")
    #expect(
      lines.map { $0.split(separator: " ").first } == [
        "::error", "::warning", "::warning", "::warning", "::notice", "::notice",
      ])
    let message = "the clip lasts 1.1 s; a rally has 3 to 60 s%0Anext: bsc share --trim"
    #expect(lines.first == "::error file=it's \"quoted\" & <odd>.mp4,title=clip.duration::\(message)")
    #expect(lines[2].hasPrefix("::warning file=🏐 50%25%2C take%3A 2.mp4,title=mux.bit-rate::9 Mbit/s (track 1)"))
  }

  @Test func uncheckableFileIsError() throws {
    let text = try ReportSamples.write(.github, [ReportSamples.unjudged])
    #expect(
      text.hasPrefix("::error file=new%0Aline # SKIP.mp4,title=the file could not be checked::cannot read new%0Aline: ")
    )
  }

  /// Names and messages cannot start a command or end a property.
  @Test(arguments: ReportSamples.names + [ReportSamples.hostileText])
  func textsAreEscaped(text: String) throws {
    let lines = try ReportSamples.write(.github, [ReportSamples.finding(file: text, message: text)])
      .split(separator: "\n")
    #expect(lines.count == 1)
    // Parsed as by GitHub's runner: up to the next colons, split at commas.
    let line = try #require(lines.first.map(String.init))
    #expect(line.hasPrefix("::error "))
    let command = line.dropFirst("::error ".count).components(separatedBy: "::")
    let properties = command[0].components(separatedBy: ",")
    #expect(properties.count == 2 && properties[1] == "title=clip.duration")
    var file = String(properties[0].dropFirst("file=".count))
    for (escape, character) in [("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")] {
      // Compared as bytes, because Swift compares whole characters.
      file = file.replacingOccurrences(of: escape, with: character, options: .literal)
    }
    // Characters without a GitHub escape are replaced.
    let isOther = { (scalar: Unicode.Scalar) in
      !["\r", "\n"].contains(scalar) && (scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value))
    }
    let expected = text.unicodeScalars.map { isOther($0) ? "\u{FFFD}" : $0 }
    #expect(Array(file.unicodeScalars) == expected)
  }
}
