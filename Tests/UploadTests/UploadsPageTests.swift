import Foundation
import Testing

/// Checks that the tests exist that `Docs/uploads.md` lists for responses and traps.
@Suite struct UploadsPageTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private static func tests() throws -> Set<String> {
    let folder = root.appending(path: "Tests")
    let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    var names: Set<String> = []
    for case let file as URL in files where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      for match in text.matches(of: /@Test[\s\S]*?func (\w+)\(/) { names.insert(String(match.1)) }
    }
    return names
  }

  @Test func documentedTestsExist() throws {
    let page = try String(contentsOf: Self.root.appending(path: "Docs/uploads.md"), encoding: .utf8)
    let tests = try Self.tests()
    var traps: Set<Int> = []
    var named = 0
    for line in page.split(separator: "\n") {
      let trap = line.firstMatch(of: /^(\d+)\..*:\s/)
      let list = trap.map { line[$0.range.upperBound...] } ?? line.split(separator: "|").last
      guard let list, trap != nil || line.hasPrefix("| ") else { continue }
      let names = list.matches(of: /`(\w+)`/).map { String($0.1) }
      for name in names where name != "resume" && name != "share" {
        #expect(tests.contains(name), "\(name) is not a test")
        named += 1
      }
      if let number = trap.flatMap({ Int($0.1) }), !names.isEmpty { traps.insert(number) }
    }
    #expect(traps == Set(1...23))
    #expect(named > 50)
  }
}
