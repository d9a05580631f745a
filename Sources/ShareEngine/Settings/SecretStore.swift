package import DurableFiles
public import Foundation

/// What a secret is for: it gives the file its name.
public struct SecretName: Hashable, Sendable, CustomStringConvertible {
  public let description: String

  /// Where the bytes of the job's upload go; deleted with the job.
  public static func uploadURL(job: UUID) -> SecretName {
    SecretName(description: uploadURLPrefix + job.uuidString.lowercased())
  }

  static let uploadURLPrefix = "upload-url-"

  /// The Supabase session, with the URL it belongs to.
  public static let signIn = SecretName(description: "sign-in")
}

/// The secrets folder: one file of 0600 for each secret, in a folder of 0700.
///
/// All functions block for the time of a small file, and throw `DurableFileError`: one in the category `notConfigured`
/// when others may read the folder or the file.
public struct SecretStore: Sendable {
  private let folder: String
  /// A sign-in is the longest secret, with some thousand bytes.
  private static let longestSecret = 64 * 1024

  /// The secrets of these places; the folder is made with the first one.
  public init(places: Places) { folder = places.secretsFolder }

  /// The secret, or `nil` when none is stored under the name.
  public func read(_ name: SecretName) throws -> Secret? {
    try PrivateFile.read(path(of: name), limit: Self.longestSecret).map { Secret(String(decoding: $0, as: UTF8.self)) }
  }

  /// Stores the secret in place of an older one.
  public func write(_ secret: Secret, as name: SecretName) throws {
    try PrivateFile.write(Data(secret.revealed.utf8), to: path(of: name))
  }

  /// Looks at every secret, without a word of what is in it.
  /// - Returns: how many there are, and why the others are not trusted: open to others, or of somebody else.
  package func check() throws -> (count: Int, wrong: [DurableFileError]) {
    var (count, wrong) = (0, [DurableFileError]())
    guard FileManager.default.fileExists(atPath: folder) else { return (0, []) }
    for name in try Folder.names(in: folder) where !name.hasPrefix(".") {
      do throws(DurableFileError) {
        _ = try PrivateFile.read("\(folder)/\(name)", limit: Self.longestSecret)
        count += 1
      } catch {
        wrong.append(error)
      }
    }
    return (count, wrong)
  }

  /// Removes the secret; one that is not there is fine.
  public func delete(_ name: SecretName) throws { try DurableFile.remove(path(of: name)) }

  /// Removes what killed processes left half written.
  public func removeAbandoned() throws { try StagedFile.removeAbandoned(in: folder) }

  private func path(of name: SecretName) -> String { "\(folder)/\(name)" }
}
