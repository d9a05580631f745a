import Foundation
import TestSupport
import Testing

extension EndToEnd {
  /// The files in Samples/ci, whose commands the tests extract and run.
  @Suite struct ContinuousIntegrationSamplesTests {
    /// One of the two CI files.
    struct Job: Sendable, CustomTestStringConvertible {
      var file: String
      /// The line before the command, and the start of the command's line.
      var header: String
      var prefix: String
      /// The environment variables of the service.
      var environment: [String: String]

      var testDescription: String { file }

      static let gitHub = Job(
        file: "github.yml", header: "- name: Validate the clips", prefix: "run: ",
        environment: ["GITHUB_ACTIONS": "true"])
      static let gitLab = Job(file: "gitlab.yml", header: "script:", prefix: "- ", environment: ["GITLAB_CI": "true"])

      func text() throws -> String {
        try String(contentsOfFile: SharedMedia.sample("ci/" + file), encoding: .utf8)
      }

      /// The command that checks the clips.
      func command() throws -> String {
        let lines = try text().split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        let index = try #require(lines.firstIndex(of: header), "\(file) has no \(header)")
        let line = try #require(lines.dropFirst(index + 1).first)
        try #require(line.hasPrefix(prefix), "\(line)")
        return String(line.dropFirst(prefix.count))
      }
    }

    @Test(arguments: [Job.gitHub, .gitLab])
    func jobFailsOnBadClipAndReportsIt(job: Job) throws {
      var team = try TeamRepository()
      team.environment.merge(job.environment) { $1 }
      let command = try job.command()
      let reports = command.matches(of: /--report \w+=(\S+)/).map { String($0.1) }
      #expect(reports.contains("bsc.xml"))

      try team.put("rally-portrait", "a good rally")
      let good = try team.run(command)
      #expect(good.status == 0 && !good.text.contains("::error"), "\(good)")

      try team.put("too-short", "too short, 100%")
      let bad = try team.run(command)
      #expect(bad.status == 4 && bad.text.contains("clip.duration"), "\(bad)")
      let annotation = "::error file=clips/too short%2C 100%25.mp4,title=clip.duration::"
      #expect(bad.text.contains(annotation) == (job.file == Job.gitHub.file), "\(bad)")
      for report in reports {
        #expect(try team.home.folder.text(report).contains("clip.duration"))
        // The report is uploaded.
        #expect(try job.text().replacing(command, with: "").contains(report), "\(report)")
      }
    }

    /// The command runs the program that the earlier steps build.
    @Test(arguments: [Job.gitHub, .gitLab])
    func jobBuildsProgramThatItRuns(job: Job) throws {
      let text = try job.text()
      let program = try #require(try job.command().split(separator: " ").first)
      #expect(text.contains("install -D .bsc/source/.build/release/bsc \(program)\n"))
      #expect(text.contains(" .bsc/source/Scripts/bootstrap --unattended\n"))
      #expect(FileManager.default.isExecutableFile(atPath: SharedMedia.packageFolder + "/Scripts/bootstrap"))
    }

    // MARK: The hook

    @Test func hookRefusesBadClips() throws {
      guard Verdicts.has("git") else { return }
      let team = try TeamRepository(hook: true)
      try team.put("rally-portrait", "a good\nrally")
      let good = try team.run("git add clips && git commit -m good")
      #expect(good.status == 0, "\(good)")

      try team.put("too-short", "-too short")
      let bad = try team.run("git add clips && git commit -m bad")
      #expect(bad.status == 1 && bad.text.contains("clips/-too short.mp4"), "\(bad)")
      #expect(bad.text.contains("clip.duration") && bad.text.contains("cannot commit"), "\(bad)")
      #expect(try team.run("git log --format=%s").text == "good\n")
    }

    /// The hook checks staged files rather than the working tree.
    @Test func hookChecksStagedFiles() throws {
      guard Verdicts.has("git") else { return }
      let team = try TeamRepository(hook: true)
      try team.put("rally-portrait", "one")
      // The bad version is not staged.
      let good = try team.run("git add clips && cp \"$SAMPLES/too-short.mp4\" clips/one.mp4 && git commit -m good")
      #expect(good.status == 0, "\(good)")
      try team.put("too-short", "two")
      let other = try team.run("echo more >notes.txt && git add notes.txt && git commit -m notes")
      #expect(other.status == 0, "\(other)")
      // The repaired version is not staged.
      let bad = try team.run(
        "git add clips/two.* && cp \"$SAMPLES/rally-portrait.mp4\" clips/two.mp4 && git commit -m two")
      #expect(bad.status == 1 && bad.text.contains("clips/two.mp4"), "\(bad)")
      // A commit of given files uses a separate index.
      let part = try team.run("echo yet more >notes.txt && git commit -m more notes.txt")
      #expect(part.status == 0, "\(part)")
    }

    @Test func hookChecksClipWithDeletedMetadata() throws {
      guard Verdicts.has("git") else { return }
      let team = try TeamRepository(hook: true)
      try team.put("rally-portrait", "one")
      let good = try team.run("git add clips && git commit -m good")
      #expect(good.status == 0, "\(good)")
      let bad = try team.run("git rm --cached clips/one.json && git commit -m gone")
      #expect(bad.status == 1 && bad.text.contains("rally.metadata"), "\(bad)")
      // The staged configuration applies.
      let settings = "[rules.\"rally.metadata\"]\nseverity = \"off\"\n"
      try team.home.folder.write(settings, to: ".bsc.toml")
      #expect(try team.run("git commit -m gone").status == 1)
      let off = try team.run("git add .bsc.toml && git commit -m gone")
      #expect(off.status == 0, "\(off)")
    }

    @Test func hookReportsUncheckableFiles() throws {
      guard Verdicts.has("git") else { return }
      var team = try TeamRepository(hook: true)
      let digest = String(repeating: "0", count: 64)
      let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:\(digest)\nsize 9\n"
      try team.home.folder.write(pointer, to: "clips/one.mp4")
      let skipped = try team.run("git add clips && git commit -m pointer")
      #expect(skipped.status == 0 && skipped.text.contains("clips/one.mp4: "), "\(skipped)")
      // A clip that cannot be checked fails, and so does a missing bsc.
      try team.home.folder.write("not a video", to: "clips/two.mp4")
      let unjudged = try team.run("git add clips && git commit -m text")
      #expect(unjudged.status == 1 && unjudged.text.contains("could not check some clips"), "\(unjudged)")
      team.environment["PATH"] = ProcessInfo.processInfo.environment["PATH"]
      let missing = try team.run("command -v bsc || git commit -m text")
      // Unless bsc is installed on this machine.
      #expect(missing.status == 0 || missing.text.contains("PATH"), "\(missing)")
    }
  }
}

/// A temporary repository with the samples, and bsc at the path that the jobs use.
private struct TeamRepository {
  struct Outcome {
    var status: Int32
    /// Stdout and stderr, in order.
    var text: String
  }

  let home: BSCHome
  var environment: [String: String]

  init(hook: Bool = false) throws {
    home = try BSCHome()
    // Without variables of the repository or service in which the tests run.
    environment = home.environment.filter { name, _ in !name.hasPrefix("GIT") }
    environment["PATH"] = home.folder.path(".bsc/bin") + ":" + (environment["PATH"] ?? "")
    environment["SAMPLES"] = SharedMedia.sample("")
    environment["GIT_CONFIG_NOSYSTEM"] = "1"
    for role in ["AUTHOR", "COMMITTER"] {
      environment["GIT_\(role)_NAME"] = "Team"
      environment["GIT_\(role)_EMAIL"] = "team@example.org"
    }
    for folder in ["clips", ".bsc/bin"] {
      try FileManager.default.createDirectory(atPath: home.folder.path(folder), withIntermediateDirectories: true)
    }
    try FileManager.default.createSymbolicLink(
      atPath: home.folder.path(".bsc/bin/bsc"), withDestinationPath: BuiltProgram.path())
    if hook {
      let made = try run("git init --quiet && cp \"$SAMPLES/ci/pre-commit\" .git/hooks/")
      try #require(made.status == 0, "\(made)")
    }
  }

  /// Copies a sample with its metadata.
  func put(_ sample: String, _ name: String) throws {
    _ = try home.clip(sample, named: "clips/" + name)
  }

  /// Runs a command with `sh -e`, as both services do.
  func run(_ script: String) throws -> Outcome {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-e", "-c", script]
    process.environment = environment
    process.currentDirectoryURL = URL(filePath: home.folder.path, directoryHint: .isDirectory)
    process.standardInput = FileHandle.nullDevice
    // One pipe for both streams, so that neither can block.
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Outcome(status: process.terminationStatus, text: String(decoding: data, as: UTF8.self))
  }
}
