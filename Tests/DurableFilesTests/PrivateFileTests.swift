import ClipModel
import DurableFiles
import Foundation
import TestSupport
import Testing

@Suite struct PrivateFileTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test func writtenFileIsPrivateAndReadable() throws {
    try PrivateFile.write(Data("token".utf8), to: folder.path("secrets/sign-in"))
    #expect(try folder.permissions("secrets") == 0o700)
    #expect(try folder.permissions("secrets/sign-in") == 0o600)
    #expect(try PrivateFile.read(folder.path("secrets/sign-in"), limit: 100) == Data("token".utf8))
  }

  @Test func missingFileOrFolderIsNil() throws {
    #expect(try PrivateFile.read(folder.path("none"), limit: 100) == nil)
    #expect(try PrivateFile.read(folder.path("none/none"), limit: 100) == nil)
  }

  @Test(arguments: [0o640, 0o604, 0o644, 0o666, 0o620, 0o601])
  func widerFileIsRefused(permissions: Int) throws {
    let path = try folder.write("token", to: "sign-in", permissions: permissions)
    let error = #expect(throws: DurableFileError.self) { try PrivateFile.read(path, limit: 100) }
    #expect(error?.explanation.category == .notConfigured)
    #expect(error?.explanation.facts == ["file": path, "path": path, "permissions": "600"])
    #expect(error.map { "\($0) \($0.explanation)" }?.contains("token") == false)
  }

  @Test(arguments: [0o750, 0o705, 0o755, 0o777]) func widerFolderIsRefusedForReadingAndWriting(mode: Int) throws {
    let path = try folder.write("token", to: "sign-in")
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.path)
    for use in [{ _ = try PrivateFile.read(path, limit: 100) }, { try PrivateFile.write(Data(), to: path) }] {
      let error = #expect(throws: DurableFileError.self) { try use() }
      #expect(error?.explanation.id == "file.not-private" && error?.explanation.facts["permissions"] == "700")
    }
    #expect(try folder.text("sign-in") == "token")
  }

  /// For a file at a path chosen by the user, only the file itself is checked.
  @Test func anyFolderIsAcceptedForUserPaths() throws {
    let path = try folder.write("token", to: "token.txt", permissions: 0o600)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
    #expect(try PrivateFile.read(path, limit: 100, isInPrivateFolder: false) == Data("token".utf8))
    let wide = try folder.write("token", to: "wide.txt", permissions: 0o644)
    #expect(throws: DurableFileError.self) { try PrivateFile.read(wide, limit: 100, isInPrivateFolder: false) }
  }

  @Test func symbolicLinkIsRefused() throws {
    let path = try folder.write("token", to: "elsewhere")
    try FileManager.default.createSymbolicLink(atPath: folder.path("sign-in"), withDestinationPath: path)
    #expect(throws: DurableFileError.self) { try PrivateFile.read(folder.path("sign-in"), limit: 100) }
  }

  @Test func fileOverTheLimitIsRefused() throws {
    let path = try folder.write("token", to: "sign-in")
    #expect(throws: DurableFileError.self) { try PrivateFile.read(path, limit: 4) }
    #expect(try PrivateFile.read(path, limit: 5)?.count == 5)
  }
}
