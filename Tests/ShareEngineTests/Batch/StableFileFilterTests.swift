import Foundation
import TestSupport
import Testing

@testable import ShareEngine

@Suite struct StableFileFilterTests {
  private let folder: ScratchFolder
  private let start = ContinuousClock.now

  init() throws { folder = try ScratchFolder() }

  /// Files that are ready a number of seconds after the start.
  private func ready(_ filter: inout StableFileFilter, _ paths: [String], after seconds: Double) -> Set<String> {
    filter.selectReadyFiles(paths, now: start + .seconds(seconds), date: Date())
  }

  @Test func growingFileIsReadyWhenItStopsGrowing() throws {
    var filter = StableFileFilter(settleTime: .seconds(100))
    let path = folder.path("clip.mp4")
    for (index, seconds) in [0, 60, 120, 180].enumerated() {
      try folder.write(String(repeating: "x", count: index + 1), to: "clip.mp4")
      #expect(ready(&filter, [path], after: Double(seconds)).isEmpty)
      #expect(filter.hasUnstableFiles)
    }
    #expect(ready(&filter, [path], after: 279).isEmpty)
    #expect(ready(&filter, [path], after: 280) == [path])
    #expect(!filter.hasUnstableFiles)
  }

  @Test func oldFileIsReadyAtOnce() throws {
    var filter = StableFileFilter(settleTime: .seconds(100))
    let path = try folder.write("x", to: "clip.mp4")
    try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSinceNow: -200)], ofItemAtPath: path)
    #expect(ready(&filter, [path], after: 0) == [path])
  }

  @Test func processedFileIsOnlyReadyAfterAChange() throws {
    var filter = StableFileFilter(settleTime: .zero)
    let path = try folder.write("x", to: "clip.mp4")
    #expect(ready(&filter, [path], after: 0) == [path])
    filter.markProcessed([path])
    #expect(ready(&filter, [path], after: 1).isEmpty)
    #expect(!filter.hasUnstableFiles)
    try folder.write("xx", to: "clip.mp4")
    #expect(ready(&filter, [path], after: 2) == [path])
  }

  @Test func missingFileIsReportedOnce() {
    var filter = StableFileFilter(settleTime: .zero)
    let path = folder.path("missing.mp4")
    #expect(ready(&filter, [path], after: 0) == [path])
    #expect(ready(&filter, [path], after: 1).isEmpty)
  }
}
