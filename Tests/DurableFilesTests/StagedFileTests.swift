import ClipModel
import DurableFiles
import Foundation
import TestSupport
import Testing

@Suite struct StagedFileTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test func destinationAppearsOnCommit() throws {
    let destination = folder.path("rally.mp4")
    let staged = try StagedFile(for: destination)
    try Data("clip".utf8).write(to: URL(filePath: staged.path), options: [])
    #expect(!FileManager.default.fileExists(atPath: destination))
    #expect(staged.path.hasPrefix(folder.path(".")))  // hidden, in the same folder
    try staged.commit(replacing: .keepExisting)
    #expect(try folder.names() == ["rally.mp4"])
    #expect(try folder.text("rally.mp4") == "clip")
  }

  @Test func fileWithoutCommitIsRemoved() throws {
    try folder.write("old", to: "rally.mp4")
    do {
      let staged = try StagedFile(for: folder.path("rally.mp4"))
      try Data("new".utf8).write(to: URL(filePath: staged.path), options: [])
      #expect(try folder.names().count == 2)
    }
    #expect(try folder.names() == ["rally.mp4"])
    #expect(try folder.text("rally.mp4") == "old")
  }

  @Test func replacingLeavesNoTemporaryFile() throws {
    try folder.write("old", to: "rally.mp4")
    try DurableFile.write(Data("new".utf8), to: folder.path("rally.mp4"))
    #expect(try folder.text("rally.mp4") == "new")
    #expect(try folder.names() == ["rally.mp4"])
  }

  @Test func keepExistingFailsForATakenName() throws {
    try folder.write("old", to: "rally.mp4")
    let error = #expect(throws: DurableFileError.self) {
      try StagedFile(for: folder.path("rally.mp4")).commit(replacing: .keepExisting)
    }
    #expect(error?.code == EEXIST)
    #expect(error?.explanation.category == .usage)
    #expect(try folder.text("rally.mp4") == "old")
    #expect(try folder.names() == ["rally.mp4"])
  }

  @Test(arguments: [0o600, 0o644, 0o755] as [UInt16])
  func permissionsAreNarrowedByTheUmask(permissions: UInt16) throws {
    let mask = umask(0)
    umask(mask)
    try DurableFile.write(Data(), to: folder.path("file"), permissions: permissions)
    #expect(try folder.permissions("file") == Int(permissions & ~UInt16(mask)))
  }

  @Test(arguments: [
    String(repeating: "a", count: 255), String(repeating: "é", count: 127), String(repeating: "🏐", count: 63),
  ])
  func longestNamesAreSupported(name: String) throws {
    try DurableFile.write(Data("x".utf8), to: folder.path(name))
    #expect(try folder.names() == [name])
  }

  @Test(arguments: [
    ("missing/rally.mp4", ENOENT, FailureCategory.inputOutput), ("file/rally.mp4", ENOTDIR, .inputOutput),
    ("folder", EISDIR, .usage), ("\(String(repeating: "n", count: 256))", ENAMETOOLONG, .inputOutput),
  ])
  func impossibleDestinationsFail(name: String, code: Int32, category: FailureCategory) throws {
    try folder.write("", to: "file")
    try Folder.create(folder.path("folder"))
    let error = #expect(throws: DurableFileError.self) {
      try DurableFile.write(Data("x".utf8), to: folder.path(name))
    }
    #expect(error?.code == code)
    #expect(error?.explanation.category == category)
    #expect(error?.explanation.facts == ["output": folder.path(name)])
    #expect(try folder.names() == ["file", "folder"])
  }

  @Test(arguments: [ReplacePolicy.replace, .keepExisting])
  func pipeIsNeverReplaced(policy: ReplacePolicy) throws {
    let pipe = folder.path("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    let error = #expect(throws: DurableFileError.self) { _ = try StagedFile(for: pipe) }
    #expect(error?.explanation.id == "file.not-a-file")
    #expect(error?.explanation.category == .usage)
    // A pipe that appears while the file is written.
    let late = folder.path("late")
    let staged = try StagedFile(for: late)
    #expect(mkfifo(late, 0o600) == 0)
    do {
      try staged.commit(replacing: policy)
      Issue.record("the pipe was replaced")
    } catch {
      #expect(error.explanation.category == .usage)
    }
    #expect(try folder.names() == ["late", "pipe"])
    var status = stat()
    #expect(lstat(late, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
  }

  @Test func aSymbolicLinkIsReplacedAndNotFollowed() throws {
    try folder.write("old", to: "file")
    try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: folder.path("file"))
    try DurableFile.write(Data("new".utf8), to: folder.path("link"))
    #expect(try folder.text("link") == "new")
    #expect(try folder.text("file") == "old")
  }

  @Test func checkFailsForATakenName() throws {
    try folder.write("old", to: "taken")
    let error = #expect(throws: DurableFileError.self) {
      try StagedFile.checkDestination(folder.path("taken"), replacing: .keepExisting)
    }
    #expect(error?.code == EEXIST)
    try StagedFile.checkDestination(folder.path("taken"), replacing: .replace)
    try StagedFile.checkDestination(folder.path("free"), replacing: .keepExisting)
  }

  @Test(.enabled(if: SmallDisk.isAvailable))
  func fullDiskKeepsTheOldContent() throws {
    let disk = try SmallDisk()
    try disk.folder.write("old", to: "settings")
    let error = #expect(throws: DurableFileError.self) {
      try DurableFile.write(Data(count: 1 << 20), to: disk.folder.path("settings"))
    }
    #expect(error?.code == ENOSPC)
    #expect(error?.explanation.category == .inputOutput)
    #expect(error?.explanation.id == "file.disk-full")
    #expect(try disk.folder.names() == ["settings"])
    #expect(try disk.folder.text("settings") == "old")
  }
}
