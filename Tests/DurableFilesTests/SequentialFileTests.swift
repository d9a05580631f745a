import ClipModel
import DurableFiles
import Foundation
import TestSupport
import Testing

@Suite struct SequentialFileTests {
  @Test func digestIsThatOfTheFile() throws {
    let path = try ScratchFolder().write("old contents that are longer", to: "file")
    let file = try SequentialFile(truncating: path)
    #expect(file.sha256 == FileDigest.sha256(of: []))
    for text in ["first", "", " second"] {
      try file.append(Array(text.utf8))
      try file.synchronize()
      let stored = try #require(FileManager.default.contents(atPath: path))
      #expect(file.byteCount == stored.count && file.sha256 == FileDigest.sha256(of: stored))
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "first second")
  }

  @Test func missingFileIsReported() throws {
    let path = try ScratchFolder().path("missing")
    let error = #expect(throws: DurableFileError.self) { try SequentialFile(truncating: path) }
    #expect(error?.code == ENOENT)
  }

  @Test func fullDiskIsReported() throws {
    let file = try SequentialFile(truncating: "/dev/full")
    let error = #expect(throws: DurableFileError.self) { try file.append([1]) }
    #expect(error?.explanation.id == "file.disk-full")
  }
}
