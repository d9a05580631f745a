import DurableFiles
import Foundation
import Testing

#if os(Linux)
  @Suite struct SystemTableTests {
    /// A machine with many mounts has a table of more than a page; /proc/kallsyms has that everywhere, and stays as it is.
    @Test func tablesAreReadToTheirEnd() throws {
      let text = try #require(try SystemTable.text("/proc/kallsyms"))
      let count = Process()
      count.executableURL = URL(filePath: "/usr/bin/wc")
      count.arguments = ["-l", "/proc/kallsyms"]
      let output = Pipe()
      count.standardOutput = output
      try count.run()
      let told = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      count.waitUntilExit()
      let lines = try #require(told.split(separator: " ").first.flatMap { Int($0) })
      #expect(text.utf8.count > 8192 && text.utf8.count { $0 == UInt8(ascii: "\n") } == lines)
    }

    @Test func whatIsNotThereIsNone() throws { #expect(try SystemTable.text("/proc/nothing") == nil) }
  }
#endif
