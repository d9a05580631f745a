import Foundation
import Testing

/// Checks that each test exists which `Docs/uploads.md` lists for a response or a trap.
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
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("| ") }
    let tests = try Self.tests()
    var traps: Set<Int> = []
    var named = 0
    for row in rows {
      let cells = row.split(separator: "|")
      guard let last = cells.last, cells.count >= 2 else { continue }
      let names = last.matches(of: /`(\w+)`/).map { String($0.1) }
      for name in names where name != "resume" && name != "share" {
        #expect(tests.contains(name), "\(name) is not a test")
        named += 1
      }
      if cells.count == 2, let number = cells[0].firstMatch(of: /^\s(\d+)\s/).flatMap({ Int($0.1) }), !names.isEmpty {
        traps.insert(number)
      }
    }
    #expect(traps == Set(1...23))
    #expect(named > 50)
  }
}
