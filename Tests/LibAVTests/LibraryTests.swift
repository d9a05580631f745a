import CFFmpeg
import ClipModel
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import LibAV

/// Threads, errors, the log and the installed libraries.
@Suite struct LibraryTests {
  // MARK: Threads

  private final class Count: Sendable {
    let value = Atomic(0)
  }

  /// More runs than idle threads are kept.
  @Test func manyRunsWorkAtOnce() async throws {
    let gate = DispatchSemaphore(value: 0)
    let running = Count()
    let results = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<40 {
        group.addTask {
          try await MediaThread.run(named: "test") { _ in
            running.value.add(1, ordering: .relaxed)
            gate.wait()
            return number
          }
        }
      }
      #expect(try await TestTimeout.wait { running.value.load(ordering: .relaxed) == 40 })
      for _ in 0..<40 { gate.signal() }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(results.sorted() == Array(0..<40))
    // Idle threads are reused.
    for number in 0..<40 { #expect(try await MediaThread.run(named: "test") { _ in number } == number) }
  }

  @Test func errorsAreRethrown() async {
    struct Broken: Error, Equatable { var number: Int }
    for number in 0..<3 {
      await #expect(throws: Broken(number: number)) {
        try await MediaThread.run(named: "test") { _ in throw Broken(number: number) }
      }
    }
  }

  /// Regardless of the error that the body throws.
  @Test(arguments: [0, 1, 2]) func cancelledBodiesThrowCancellationErrors(variant: Int) async throws {
    struct Broken: Error {}
    let (started, start) = AsyncStream<Void>.makeStream()
    let work = Task {
      try await MediaThread.run(named: "test") { interruption in
        start.finish()
        while !interruption.isInterrupted { sched_yield() }
        switch variant {
        case 0: try interruption.check()
        case 1: throw FFmpegError(bsc_AVERROR_EXIT, call: "av_read_frame", subject: "a.mp4")
        default: throw Broken()
        }
      }
    }
    for await _ in started {}
    work.cancel()
    await #expect(throws: CancellationError.self) { try await work.value }
  }

  @Test func joiningAStageThrowsItsError() throws {
    struct Broken: Error {}
    let failures = Atomic(0)
    let stages = (0..<8).map { number in
      StageThread(named: "stage", onFailure: { _ in failures.add(1, ordering: .relaxed) }) {
        if number % 2 == 1 { throw Broken() }
      }
    }
    for (number, stage) in stages.enumerated() {
      if number % 2 == 1 { #expect(throws: Broken.self) { try stage.join() } } else { try stage.join() }
    }
    #expect(failures.load(ordering: .relaxed) == 4)
  }

  private final class Witness: Sendable {
    private let released: Count

    init(_ released: Count) { self.released = released }

    deinit { released.value.add(1, ordering: .relaxed) }
  }

  /// Idle threads don't keep the stages that they ran, even if no task joins the stages.
  @Test func endedStagesAreReleased() async throws {
    struct Broken: Error {}
    let released = Count()
    let ignore: @Sendable (any Error) -> Void = { _ in }
    for number in 0..<16 {
      let witness = Witness(released)
      _ = StageThread(named: "stage", onFailure: ignore) {
        withExtendedLifetime(witness) {}
        if number % 2 == 1 { throw Broken() }
      }
    }
    #expect(try await TestTimeout.wait { released.value.load(ordering: .relaxed) == 16 })
  }

  @Test func libavAndLoopsSeeTheSameInterruption() throws {
    let interruption = Interruption()
    let callback = interruption.callback
    func status(_ object: UnsafeMutableRawPointer?) -> Int32? { callback.callback?(object) }
    try interruption.check()
    #expect(status(callback.opaque) == 0)
    for _ in 0..<2 {
      interruption.interrupt()
      #expect(status(callback.opaque) == 1)
      // Without an object, nothing is interrupted.
      #expect(status(nil) == 0)
      #expect(throws: CancellationError.self) { try interruption.check() }
    }
  }

  // MARK: Errors

  private static func posix(_ code: Int32) -> Int32 { -code }

  static let categories: [(Int32, String, FailureCategory)] = [
    (bsc_AVERROR_EXIT, "av_read_frame", .interrupted), (posix(ENOENT), "avformat_open_input", .noInput),
    (posix(EACCES), "avformat_open_input", .noInput), (posix(EISDIR), "avformat_open_input", .noInput),
    (posix(ENOSPC), "av_write_trailer", .inputOutput), (posix(EROFS), "avio_open2", .inputOutput),
    (posix(EIO), "av_read_frame", .inputOutput), (bsc_AVERROR_INVALIDDATA, "av_read_frame", .unjudged),
    (bsc_AVERROR_ENOMEM, "avformat_open_input", .unjudged), (bsc_AVERROR_ENOMEM, "avcodec_open2", .unexpected),
    (posix(EMFILE), "avformat_open_input", .unexpected),
  ]

  @Test(arguments: categories) func codesHaveTheirCategories(code: Int32, call: String, category: FailureCategory) {
    let error = FFmpegError(code, call: call, subject: "a.mp4")
    #expect(error.explanation.category == category)
    #expect(!error.codeText.isEmpty && !error.explanation.why.isEmpty)
    #expect(error.isInterruption == (category == .interrupted))
    #expect(error.isDiskFull == (code == Self.posix(ENOSPC)))
  }

  /// The source is on a disk that was unplugged, or on a network file system without its server.
  @Test(arguments: [
    EIO, ENXIO, ENODEV, ESTALE, ENETDOWN, ENETUNREACH, EHOSTDOWN, EHOSTUNREACH, ECONNABORTED, ECONNRESET, ENOTCONN,
  ]) func offlineSourcesAreNotDamaged(code: Int32) {
    let error = FFmpegError(Self.posix(code), call: "av_read_frame", subject: "a.mp4")
    #expect(error.isTransient && error.explanation.category == .inputOutput && error.explanation.id == "file.io-error")
  }

  @Test func temporaryNamesAreNotShown() {
    let error = FFmpegError(bsc_AVERROR_INVALIDDATA, call: "av_write_trailer", subject: ".clip.mp4.bsc-12af.tmp")
    #expect(error.explanation.facts["output"] == "clip.mp4")
  }

  /// A log line is part of only the next error of its thread.
  @Test func logLinesBelongToOneError() async throws {
    let folder = try ScratchFolder()
    let path = try folder.write("no media at all", to: "a.mp4")
    try await MediaThread.run(named: "test") { _ in
      let error = #expect(throws: FFmpegError.self) { try InputContainer(path: path) }
      #expect(error != nil)
      let next = FFmpegError(bsc_AVERROR_INVALIDDATA, call: "av_read_frame", subject: "b.mp4")
      #expect(next.logLine == nil)
    }
  }

  @Test(arguments: [
    ("[mov,mp4 @ 0x7f5ff4006680] moov atom not found", "moov atom not found"), ("plain", "plain"), ("", ""),
    ("[a] b", "[a] b"), ("[unclosed @ 0x12", "[unclosed @ 0x12"),
  ]) func addressesAreRemoved(line: String, text: String) {
    #expect(FFmpegLog.removeContext(line) == text)
  }

  // MARK: Installed libraries

  @Test func requiredCapabilitiesAreAvailable() {
    let capabilities = LoadedLibraries.capabilities
    #expect(Set(capabilities.map(\.name)).count == capabilities.count)
    #expect(capabilities.allSatisfy { $0.isAvailable || $0.neededFor != nil })
    #expect(capabilities.allSatisfy { !$0.detail.isEmpty })
  }
}
