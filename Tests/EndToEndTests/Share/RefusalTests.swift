import ClipModel
import Foundation
import ShareEngine
import TestSupport
import Testing

extension EndToEnd {
  /// Refused clips, with their exit codes and reasons.
  @Suite struct RefusalTests {
    @Test(arguments: Refusal.all)
    func refusalHasReason(_ refusal: Refusal) async throws {
      let home = try BSCHome()
      let share = try await home.run("share", try refusal.make(home), "--json")
      #expect(share.status == refusal.status, "\(share)")
      if refusal.rules.isEmpty {
        let answer = try JSONDecoder().decode(FailureAnswer.self, from: Data(share.output.utf8))
        #expect(answer.schema == "bsc.error/1" && answer.exitCode == refusal.status && answer.error.next != nil)
        #expect(answer.error.id == refusal.fact, "\(share)")
      } else {
        #expect(share.errors.contains(refusal.fact), "\(share)")
        let answer = try #require(try ShareAnswer.all(in: share.output).first)
        #expect(answer.status == "rejected" && answer.brokenRules == refusal.rules, "\(share)")
      }
      // A refused clip leaves no job for `bsc resume`.
      let resume = try await home.run("resume")
      #expect(resume.status == 0, "\(resume)")
    }

    @Test func clipWithoutMetadataIsSharedIfAllowed() async throws {
      let home = try BSCHome()
      let share = try await home.run("share", try home.clip("no-metadata"), "--allow-no-metadata", "--json")
      #expect(share.status == 0, "\(share)")
      let highlight = try #require(try ShareAnswer.all(in: share.output).first?.highlight)
      #expect(highlight.localVideoID == nil && highlight.localRallyIndex == nil)
    }

    @Test func missingMetadataFileLeavesNoJob() async throws {
      let home = try BSCHome()
      let share = try await home.run("share", try home.clip("rally-portrait"), "--metadata", "missing.json")
      #expect(share.status == 66 && share.errors.contains("missing.json"), "\(share)")
      #expect(try await home.jobs().isEmpty)
    }

    @Test func allProblemsOfMetadataAreReported() async throws {
      let home = try BSCHome()
      let clip = try home.clip("no-metadata")
      let path = try home.writeMetadata("no-metadata.json", rallies: [10...14])
      var text = try String(contentsOf: URL(filePath: path), encoding: .utf8)
      text.replace(/"confidence":[0-9.]+/, with: #""confidence":7"#)
      text.replace(/"videoId":"[^"]*"/, with: #""videoId":"invalid""#)
      try Data(text.utf8).write(to: URL(filePath: path))
      let share = try await home.run("share", clip, "--json")
      #expect(share.status == 4, "\(share)")
      let places = try #require(try ShareAnswer.all(in: share.output).first?.findings).compactMap(\.place)
      #expect(places.contains("videoId") && places.contains { $0.hasSuffix("confidence") }, "\(share)")
    }

    @Test(arguments: [
      ["share"], ["share", "clip.mp4", "--no-such-flag"], ["share", "clip.mp4", "--privacy", "secret"], ["shred"],
      ["share", "clip.mp4", "--rally", "first"], ["highlights", "list", "--limit", "0"],
    ])
    func invalidCommandLineIsUsageError(_ arguments: [String]) async throws {
      let home = try BSCHome()
      let outcome = await (try home.start(arguments + ["--json"])).outcome()
      let id = arguments == ["shred"] ? "usage.unknown-command" : "usage.arguments"
      #expect(outcome.status == 64 && outcome.failures.map(\.id) == [id], "\(outcome)")
      #expect(outcome.failures.first?.next?.contains("--help") == true, "\(outcome)")
    }

    @Test(arguments: ["ro", "size=2m"])
    func unwritableStateIsReported(_ options: String) async throws {
      let home = try BSCHome()
      let clip = try home.clip("rally-portrait")
      guard let disk = try MountedFolder(home.folder.path("state"), options: options) else { return }
      let share = try await home.run("share", clip, "--json")
      #expect(share.status == 74, "\(share)")
      let kind = options == "ro" ? ".read-only" : "disk-full"
      #expect(share.failures.contains { $0.id.hasSuffix(kind) }, "\(share)")
      withExtendedLifetime(disk) {}
    }

    @Test func unreachableBackendLeavesJob() async throws {
      let home = try BSCHome()
      let clip = try home.clip("rally-portrait")
      let folder = try home.places.localBackendFolder
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      // The server hangs before it announces its address.
      guard let holder = try LockedFile(folder + "/server.lock") else { return }
      let share = try await home.run("share", clip)
      #expect(share.status == 6, "\(share)")
      #expect(share.errors.contains("bsc resume"), "\(share)")
      holder.release()
      let job = try #require(try await home.jobs().first)
      let resume = try await home.run("resume", "--json")
      #expect(resume.status == 0, "\(resume)")
      try await home.expectOneHighlight(of: job)
    }

    @Test func missingFileAmongOthersIsPartialFailure() async throws {
      let home = try BSCHome()
      let clip = try home.clip("rally-portrait")
      let share = try await home.run("share", home.folder.path("missing.mp4"), clip, "--json")
      #expect(share.status == 3, "\(share)")
      #expect(try await home.highlights().count == 1)
    }
  }
}

/// One clip that is refused.
struct Refusal: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var status: Int32
  /// The rules with errors; empty if the file cannot be checked.
  var rules: Set<String> = []
  /// A value in the text of a finding, or the id of the error if the file cannot be checked.
  var fact: String
  /// Creates the clip in the home and returns its path.
  var make: @Sendable (BSCHome) throws -> String

  static let all: [Refusal] = [
    Refusal(
      testDescription: "too short", status: 4, rules: ["clip.duration"], fact: "1.5 s"
    ) { try $0.clip("too-short") },
    Refusal(
      testDescription: "no video track", status: 4, rules: ["clip.video"], fact: "[clip.video]"
    ) { try $0.clip("no-video") },
    Refusal(
      testDescription: "no metadata", status: 4, rules: ["rally.metadata"], fact: "--allow-no-metadata"
    ) { try $0.clip("no-metadata") },
    Refusal(testDescription: "missing file", status: 66, fact: "file.not-found") { $0.folder.path("missing.mp4") },
    Refusal(testDescription: "folder", status: 66, fact: "source.folder") { $0.folder.path },
    Refusal(testDescription: "empty file", status: 3, fact: "clip.not-media") {
      try $0.folder.write("", to: "empty.mp4")
    },
    Refusal(testDescription: "text named .mp4", status: 3, fact: "clip.not-media") {
      try $0.folder.write("Set, spike, point.\n", to: "text.mp4")
    },
    Refusal(testDescription: "cut off, index at the end", status: 4, fact: "clip.cut-off") {
      try $0.cutOff(try $0.clip("rally-portrait"))
    },
    Refusal(testDescription: "cut off, index in front", status: 4, rules: ["clip.truncated"], fact: "[clip.truncated]")
    {
      let clip = try $0.clip("rally-portrait")
      let fast = try ClipFactory.clip("fast.mp4", ["-i", clip, "-c", "copy", "-movflags", "+faststart"])
      try FileManager.default.removeItem(atPath: clip)
      try FileManager.default.copyItem(atPath: fast, toPath: clip)
      return try $0.cutOff(clip)
    },
    Refusal(testDescription: "metadata is not JSON", status: 4, rules: ["rally.json"], fact: "no-metadata.json") {
      try $0.folder.write("{ \"rallySegments\": [", to: "no-metadata.json")
      return try $0.clip("no-metadata")
    },
    Refusal(
      testDescription: "metadata of another clip", status: 4, rules: ["rally.clip-length"], fact: "4.0 s"
    ) {
      try $0.writeMetadata("no-metadata.json", rallies: [100...120])
      return try $0.clip("no-metadata")
    },
  ]
}

extension BSCHome {
  /// Truncates a file to two thirds.
  func cutOff(_ path: String) throws -> String {
    let file = try FileHandle(forUpdating: URL(filePath: path))
    defer { try? file.close() }
    try file.truncate(atOffset: try file.seekToEnd() * 2 / 3)
    return path
  }
}

/// A separate file system on a folder, which only root may mount. It is unmounted when the value is destroyed.
final class MountedFolder {
  private let path: String

  /// Prints a message and returns `nil` if it cannot be mounted.
  init?(_ path: String, options: String, _ what: String = #function) throws {
    self.path = path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    do {
      _ = try Tool.run("mount", ["-t", "tmpfs", "-o", options, "bsc-test", path])
    } catch {
      FileHandle.standardError.write(Data("SKIPPED \(what): no tmpfs can be mounted here (\(error))\n".utf8))
      return nil
    }
  }

  deinit { _ = try? Tool.run("umount", ["--lazy", path]) }
}

/// A file that another process has locked.
final class LockedFile {
  private let process = Process()

  /// Prints a message and returns `nil` if the `flock` program (util-linux) is missing.
  init?(_ path: String, _ what: String = #function) throws {
    guard let flock = Tool.path(of: "flock") else {
      FileHandle.standardError.write(Data("SKIPPED \(what): there is no flock program\n".utf8))
      return nil
    }
    let output = Pipe()
    process.executableURL = URL(filePath: flock)
    process.arguments = ["--no-fork", path, "sh", "-c", "echo held; exec sleep 600"]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    try process.run()
    _ = try output.fileHandleForReading.read(upToCount: 5)
  }

  deinit { release() }

  func release() {
    guard process.isRunning else { return }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
