import ClipModel
import Foundation
import TestSupport
import Testing

@testable import LibAV

@Suite struct ContainerTests {
  @Test(arguments: Orientation.all)
  func displayMatricesRoundTrip(orientation: Orientation) {
    #expect(Orientation(displayMatrix: orientation.displayMatrix) == orientation)
  }

  /// Cameras write fixed point, with a translation that moves the picture back into view.
  @Test(arguments: [
    ([0, 65536, 0, -65536, 0, 0, 70_778_880, 0, 1 << 30] as [Int32], 90),
    ([0, -65536, 0, 65536, 0, 0, 0, 125_829_120, 1 << 30], 270),
    ([-65536, 0, 0, 0, -65536, 0, 125_829_120, 70_778_880, 1 << 30], 180),
    ([131072, 0, 0, 0, 131072, 0, 0, 0, 1 << 30], 0),
  ])
  func matricesOfCamerasAreRead(matrix: [Int32], degrees: Int) {
    #expect(Orientation(displayMatrix: matrix) == Orientation(clockwiseDegrees: degrees))
  }

  @Test func degenerateMatricesAreRejected() {
    #expect(Orientation(displayMatrix: [0, 0, 0, 0, 0, 0, 0, 0, 0]) == nil)
    #expect(Orientation(displayMatrix: [1, 2]) == nil)
  }

  @Test func missingFilesHaveTheCategoryNoInput() throws {
    let folder = try ScratchFolder()
    let error = #expect(throws: FFmpegError.self) { try InputContainer(path: folder.path("none.mp4")) }
    #expect(error?.explanation.category == .noInput && error?.call == "avformat_open_input")
  }

  @Test func errorsIncludeTheLastLogLine() throws {
    let folder = try ScratchFolder()
    let path = folder.path("headless.mp4")
    // A file type box and nothing else.
    let bytes: [UInt8] = [0, 0, 0, 16, 0x66, 0x74, 0x79, 0x70, 0x69, 0x73, 0x6F, 0x6D, 0, 0, 0, 0]
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: FFmpegError.self) { try InputContainer(path: path) }
    #expect(error?.logLine?.contains("moov atom not found") == true)
    // Addresses are removed.
    #expect(error?.description.contains("0x") == false)
  }

  /// libav returns what it has already read, and stops before it would read more.
  @Test(arguments: ["mkv", "mp4", "ts"]) func interruptedContainersStopReading(kind: String) throws {
    let path = try ClipFactory.clip(
      "stop.\(kind)", ["-f", "lavfi", "-i", "testsrc2=s=640x480:r=30:d=8", "-c:v", "mpeg4", "-q:v", "3"])
    func packetCount(_ container: InputContainer) throws -> Int {
      let packet = try Packet()
      var count = 0
      while try container.read(into: packet) { count += 1 }
      return count
    }
    #expect(try packetCount(InputContainer(path: path)) == 240)
    let interruption = Interruption()
    let container = try InputContainer(path: path, interruption: interruption)
    #expect(try container.read(into: Packet()))
    interruption.interrupt()
    let error = #expect(throws: FFmpegError.self) { try packetCount(container) }
    #expect(error?.isInterruption == true && error?.explanation.category == .interrupted)
  }

  /// A width of 321 has a longer stride, whose padding isn't part of the rows.
  @Test func rowsContainOnlyVisibleBytes() throws {
    let frame = try Frame(width: 321, height: 5, pixelFormat: .yuv420p)
    var rows = 0
    frame.withRows(ofPlane: 0) { _, bytes in
      #expect(bytes.count == 321)
      rows += 1
    }
    #expect(rows == 5)
    frame.withRows(ofPlane: 1) { _, bytes in #expect(bytes.count == 161) }
    frame.withRows(ofPlane: 3) { _, _ in Issue.record("there is no fourth plane") }
  }

  @Test func zimgSupportsPlanarFormats() throws {
    #expect(ZimgGraph.supports(.yuv420p))
    #expect(ZimgGraph.supports(try #require(PixelFormat(name: "yuv420p10le"))))
    #expect(ZimgGraph.supports(try #require(PixelFormat(name: "gbrp"))))
    for name in ["nv12", "yuyv422", "p010le", "rgb24", "pal8", "yuv420p10be"] {
      #expect(!ZimgGraph.supports(try #require(PixelFormat(name: name))), "\(name)")
    }
    #expect(PixelFormat(name: "no-such-format") == nil)
  }

  @Test func cancellingATaskInterruptsItsThread() async throws {
    let work = Task {
      try await MediaThread.run(named: "test") { interruption in
        while true { try interruption.check() }
      }
    }
    work.cancel()
    await #expect(throws: CancellationError.self) { try await work.value }
  }
}
