import DurableFiles
import Foundation
import Testing

#if os(Linux)
@Suite struct SystemTableTests {
  /// /proc/kallsyms is always longer than a page and never changes, unlike the table of mounts.
  @Test func longTableIsReadCompletely() throws {
    let text = try #require(try SystemTable.readText("/proc/kallsyms"))
    let count = Process()
    count.executableURL = URL(filePath: "/usr/bin/wc")
    count.arguments = ["-l", "/proc/kallsyms"]
    let output = Pipe()
    count.standardOutput = output
    try count.run()
    let printed = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    count.waitUntilExit()
    let lines = try #require(printed.split(separator: " ").first.flatMap { Int($0) })
    #expect(text.utf8.count > 8192 && text.utf8.count { $0 == UInt8(ascii: "\n") } == lines)
  }

  @Test func missingTableIsNil() throws { #expect(try SystemTable.readText("/proc/nothing") == nil) }
}
#endif
