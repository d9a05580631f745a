package import ClipModel
import DurableFiles
package import Foundation
import Social

/// Writes everything that the backend stores about an account as files.
package enum AccountExport {
  /// Writes a JSON file for each table.
  /// - Parameters:
  ///   - document: the object that `SocialClient.exportAccount` returned.
  ///   - folder: the folder for the files, which is created if necessary.
  ///   - policy: whether existing files are replaced.
  /// - Returns: the paths of the files, sorted.
  /// - Throws: `SocialError.unreadableAnswer`, or `DurableFileError` if a file exists or cannot be written.
  package static func write(_ document: Data, to folder: String, replacing policy: ReplacePolicy) async throws
    -> [String]
  {
    guard let tables = try? JSONSerialization.jsonObject(with: document) as? [String: Any], !tables.isEmpty,
      tables.keys.allSatisfy(isFileName)
    else {
      throw SocialError.unreadableAnswer(operation: "export the account", reason: "the body is not a list of tables")
    }
    let files = try tables.sorted { $0.key < $1.key }.map { name, rows in
      let options: JSONSerialization.WritingOptions = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      return (
        path: "\(folder)/\(name).json", bytes: Array(try JSONSerialization.data(withJSONObject: rows, options: options))
      )
    }
    try await WorkerThread.run("bsc export") { _ in
      // The files contain messages and addresses, so that only the user may read them.
      try Folder.create(folder)
      for file in files { try StagedFile.checkDestination(file.path, replacing: policy) }
      for file in files { try DurableFile.write(file.bytes, to: file.path, permissions: 0o600, policy: policy) }
    }
    return files.map(\.path)
  }

  /// Whether a table's name is safe in a path.
  private static func isFileName(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == UInt8(ascii: "_") }
  }
}
