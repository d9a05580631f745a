package import DurableFiles
package import Foundation

/// The name of a secret and of the file that contains the secret.
package struct SecretName: Hashable, Sendable, CustomStringConvertible {
  package let description: String

  /// Returns the name for a job's upload URL. The secret is deleted together with the job.
  package static func uploadURL(job: UUID) -> SecretName {
    SecretName(description: uploadURLPrefix + job.uuidString.lowercased())
  }

  static let uploadURLPrefix = "upload-url-"

  /// The name for the Supabase session, which includes the project's URL.
  package static let signIn = SecretName(description: "sign-in")
}

/// The folder that stores secrets. The folder has mode 0700, and each secret has a separate file with mode 0600.
///
/// All functions block briefly and throw `DurableFileError`. If other users can access the folder or a file, the error
/// has the category `notConfigured`.
package struct SecretStore: Sendable {
  private let folder: String
  /// The maximum length of a secret, in bytes. The longest secret is a session, which has a few thousand bytes.
  private static let maximumSecretLength = 64 * 1024

  /// Creates a store. Its folder is created when the first secret is stored.
  package init(places: ApplicationFolders) { folder = places.secretsFolder }

  /// Returns the secret with the given name, or `nil` if there is none.
  package func read(_ name: SecretName) throws -> Secret? {
    try PrivateFile.read(filePath(of: name), limit: Self.maximumSecretLength).map {
      Secret(String(decoding: $0, as: UTF8.self))
    }
  }

  /// Stores a secret. An existing secret with the same name is replaced.
  package func write(_ secret: Secret, as name: SecretName) throws {
    try PrivateFile.write(Data(secret.revealed.utf8), to: filePath(of: name))
  }

  /// Checks every secret without revealing it.
  /// - Returns: the number of protected secrets, and an error for each secret that other users own or can access.
  package func checkProtection() throws -> (count: Int, wrong: [DurableFileError]) {
    guard Folder.exists(folder) else { return (0, []) }
    let names = try Folder.names(in: folder).filter { !$0.hasPrefix(".") }
    let wrong = names.compactMap { name -> DurableFileError? in
      do throws(DurableFileError) {
        _ = try PrivateFile.read("\(folder)/\(name)", limit: Self.maximumSecretLength)
        return nil
      } catch {
        return error
      }
    }
    return (names.count - wrong.count, wrong)
  }

  /// Removes the secret with the given name, if it exists.
  package func delete(_ name: SecretName) throws { try DurableFile.remove(filePath(of: name)) }

  /// Removes temporary files that killed processes did not remove.
  package func removeAbandoned() throws { try StagedFile.removeAbandoned(in: folder) }

  private func filePath(of name: SecretName) -> String { "\(folder)/\(name)" }
}
