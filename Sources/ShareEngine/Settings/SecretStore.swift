package import DurableFiles
package import Foundation

/// The name of a secret, and of its file.
package struct SecretName: Hashable, Sendable, CustomStringConvertible {
  package let description: String

  /// The upload URL of a job, which is deleted with the job.
  package static func uploadURL(job: UUID) -> SecretName {
    SecretName(description: uploadURLPrefix + job.uuidString.lowercased())
  }

  static let uploadURLPrefix = "upload-url-"

  /// The Supabase session with the URL of its project.
  package static let signIn = SecretName(description: "sign-in")
}

/// The secrets folder (0700) with one file (0600) for each secret.
///
/// All functions block briefly and throw `DurableFileError`, with the category `notConfigured` when other users can access
/// the folder or the file.
package struct SecretStore: Sendable {
  private let folder: String
  /// The longest secret is a session, which takes a few thousand bytes.
  private static let longestSecret = 64 * 1024

  /// The folder is created when the first secret is stored.
  package init(places: Places) { folder = places.secretsFolder }

  /// Returns the secret; `nil` if there is no secret with this name.
  package func read(_ name: SecretName) throws -> Secret? {
    try PrivateFile.read(path(of: name), limit: Self.longestSecret).map { Secret(String(decoding: $0, as: UTF8.self)) }
  }

  /// Stores a secret, replacing an existing one.
  package func write(_ secret: Secret, as name: SecretName) throws {
    try PrivateFile.write(Data(secret.revealed.utf8), to: path(of: name))
  }

  /// Checks every secret without revealing it.
  /// - Returns: the number of valid secrets, and an error for each secret that other users own or can access.
  package func check() throws -> (count: Int, wrong: [DurableFileError]) {
    guard Folder.exists(folder) else { return (0, []) }
    let names = try Folder.names(in: folder).filter { !$0.hasPrefix(".") }
    let wrong = names.compactMap { name -> DurableFileError? in
      do throws(DurableFileError) {
        _ = try PrivateFile.read("\(folder)/\(name)", limit: Self.longestSecret)
        return nil
      } catch {
        return error
      }
    }
    return (names.count - wrong.count, wrong)
  }

  /// Removes the secret if it exists.
  package func delete(_ name: SecretName) throws { try DurableFile.remove(path(of: name)) }

  /// Removes temporary files that killed processes left.
  package func removeAbandoned() throws { try StagedFile.removeAbandoned(in: folder) }

  private func path(of name: SecretName) -> String { "\(folder)/\(name)" }
}
