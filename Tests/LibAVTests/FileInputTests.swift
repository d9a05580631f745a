import CFFmpeg
import ClipModel
import Foundation
import TestSupport
import Testing

@testable import LibAV

/// `FileInput`: the calls of libav, read errors, and the release of its descriptor and buffer.
@Suite struct FileInputTests {
  private static let text = "0123456789"

  /// The result of a read.
  private struct Answer: Equatable {
    var status: Int32
    var text: String

    init(_ status: Int32, _ text: String) { (self.status, self.text) = (status, text) }
  }

  private static func opened(
    _ path: String, descriptor: Int32? = nil, _ interruption: Interruption = Interruption()
  ) throws -> FileInput {
    try FileInput(path: path, descriptor: descriptor, interruption: interruption, subject: "a.bin")
  }

  /// Reads up to `count` bytes in the same way as libav.
  private static func read(_ input: FileInput, _ count: Int) throws -> Answer {
    let context = try #require(input.context).pointee
    var bytes = [UInt8](repeating: 0, count: count)
    let result = bytes.withUnsafeMutableBufferPointer {
      context.read_packet?(context.opaque, $0.baseAddress, Int32($0.count))
    }
    let status = try #require(result)
    return Answer(status, String(decoding: bytes.prefix(Int(max(status, 0))), as: UTF8.self))
  }

  private static func seek(_ input: FileInput, _ offset: Int64, _ origin: Int32) throws -> Int64 {
    let context = try #require(input.context).pointee
    let result = context.seek?(context.opaque, offset, origin)
    return try #require(result)
  }

  /// The other tests only check that closed files are not listed.
  @Test func openFilesAreListed() throws {
    let folder = try ScratchFolder()
    let path = try folder.write(Self.text, to: "a.bin")
    try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: path)
    let handle = try #require(FileHandle(forReadingAtPath: path))
    for prefix in [path, folder.path("link")] { #expect(OpenFiles.paths(withPrefix: prefix).count == 1) }
    try handle.close()
    #expect(OpenFiles.paths(withPrefix: path).isEmpty)
  }

  @Test func inputsWithOneDescriptorHaveTheirOwnPositions() throws {
    let path = try ScratchFolder().write(Self.text, to: "a.bin")
    func both() throws -> (FileInput, FileInput) {
      let first = try Self.opened(path)
      // The path isn't used.
      return (first, try Self.opened("no/such/file", descriptor: first.descriptor))
    }
    let (first, second) = try both()
    #expect(first.descriptor != second.descriptor)
    #expect(try Self.read(first, 4) == Answer(4, "0123"))
    #expect(try Self.read(second, 6) == Answer(6, "012345"))
    #expect(try Self.read(first, 100) == Answer(6, "456789"))
    for _ in 0..<2 { #expect(try Self.read(first, 100) == Answer(bsc_AVERROR_EOF, "")) }
    #expect(try Self.seek(first, 0, SEEK_SET) == 0)
    #expect(try Self.read(second, 100) == Answer(4, "6789"))
  }

  static let seeks: [(Int64, Int32, Int64)] = [
    (3, SEEK_SET, 3), (3, SEEK_SET | AVSEEK_FORCE, 3), (-2, SEEK_CUR, 2), (-1, SEEK_END, 9),
    (1 << 40, SEEK_SET, 1 << 40),
    (-1, SEEK_SET, -Int64(EINVAL)), (-5, SEEK_CUR, -Int64(EINVAL)), (-11, SEEK_END, -Int64(EINVAL)),
    (.max, SEEK_CUR, -Int64(EINVAL)), (.max, SEEK_END, -Int64(EINVAL)), (.min, SEEK_SET, -Int64(EINVAL)),
    (0, 99, -Int64(EINVAL)),
  ]

  /// A position outside the numbers of a file is an error, which keeps the current position.
  @Test(arguments: seeks) func seeksStayInTheNumbersOfAFile(offset: Int64, origin: Int32, result: Int64) throws {
    let input = try Self.opened(try ScratchFolder().write(Self.text, to: "a.bin"))
    #expect(try Self.read(input, 4).text == "0123")
    #expect(try Self.seek(input, offset, origin) == result)
    // The size doesn't change the position.
    #expect(try Self.seek(input, offset, AVSEEK_SIZE) == 10)
    let position = Int(result < 0 ? 4 : min(result, 10))
    #expect(try Self.read(input, 100).text == String(Self.text.dropFirst(position)))
  }

  @Test func filesThatCannotBeOpenedAreRejected() throws {
    let folder = try ScratchFolder()
    let path = try folder.write(Self.text, to: "a.bin")
    for _ in 0..<5 {
      for (path, descriptor, code) in [
        (folder.path("none.bin"), nil, ENOENT), (path + "/b.bin", nil, ENOTDIR), (path, -1, EBADF), (path, .max, EBADF),
      ] as [(String, Int32?, Int32)] {
        let error = #expect(throws: FFmpegError.self) { try Self.opened(path, descriptor: descriptor) }
        #expect(error?.code == -code && error?.call == "avformat_open_input" && error?.subject == "a.bin")
      }
    }
    #expect(OpenFiles.paths(withPrefix: folder.path).isEmpty)
  }

  /// The system's error isn't reported as the end of the file.
  @Test func failedReadsReturnTheirError() throws {
    let folder = try ScratchFolder()
    let path = try folder.write(Self.text, to: "a.bin")
    let writing = try FileHandle(forWritingTo: URL(filePath: path))
    let pipe = Pipe()
    for (input, code) in [
      (try Self.opened(folder.path), EISDIR), (try Self.opened(path, descriptor: writing.fileDescriptor), EBADF),
      (try Self.opened(path, descriptor: pipe.fileHandleForReading.fileDescriptor), ESPIPE),
    ] {
      for _ in 0..<2 { #expect(try Self.read(input, 10) == Answer(-code, "")) }
    }
    try withExtendedLifetime(pipe) { try writing.close() }
  }

  @Test func interruptedInputsReadNothing() throws {
    let interruption = Interruption()
    let path = try ScratchFolder().write(Self.text, to: "a.bin")
    let (input, other) = (try Self.opened(path, interruption), try Self.opened(path))
    #expect(try Self.read(input, 4).text == "0123")
    interruption.interrupt()
    for _ in 0..<2 { #expect(try Self.read(input, 4) == Answer(bsc_AVERROR_EXIT, "")) }
    #expect(try Self.read(other, 4).text == "0123")
  }

  /// A camera's card may be removed, and another program may shorten a file.
  @Test func filesMayShrinkAndDisappear() throws {
    let path = try ScratchFolder().write(Self.text, to: "a.bin")
    let input = try Self.opened(path)
    #expect(try Self.read(input, 4).text == "0123")
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    try file.truncate(atOffset: 6)
    try file.close()
    try FileManager.default.removeItem(atPath: path)
    #expect(try Self.seek(input, 0, AVSEEK_SIZE) == 6)
    #expect(try Self.read(input, 100).text == "45")
    #expect(try Self.read(input, 100).status == bsc_AVERROR_EOF)
  }

  /// Each input closes only its own descriptor, and frees the buffer with which libav has replaced the first one.
  @Test func descriptorsAndBuffersAreReleased() throws {
    let path = try ScratchFolder().write(Self.text, to: "a.bin")
    let original = try FileHandle(forReadingFrom: URL(filePath: path))
    for _ in 0..<5 {
      let input = try Self.opened("no/such/file", descriptor: original.fileDescriptor)
      let context = try #require(input.context)
      av_free(context.pointee.buffer)
      context.pointee.buffer = av_malloc(64)?.assumingMemoryBound(to: UInt8.self)
      #expect(try Self.read(input, 3).text == "012")
    }
    #expect(try original.readToEnd() == Data(Self.text.utf8))
    try original.close()
    #expect(OpenFiles.paths(withPrefix: path).isEmpty)
  }
}
