import ClipModel
import DurableFiles
public import Foundation

/// The absolute paths of bsc's folders, determined from the environment according to the XDG Base Directory
/// Specification 0.8.
public struct ApplicationFolders: Sendable, Equatable {
  /// `$XDG_CONFIG_HOME/bsc`, the folder that contains the user's settings.
  public let configurationFolder: String
  /// `$XDG_STATE_HOME/bsc`, the folder that contains the journal, locks, job folders and secrets.
  public let stateFolder: String
  /// `$XDG_CACHE_HOME/bsc`, the folder for data that can be deleted at any time.
  public let cacheFolder: String
  /// `$XDG_DATA_HOME/bsc`, the folder that contains the local backend's data.
  public let dataFolder: String

  /// - Parameter environment: the environment variables of the process. Only `HOME` and the four `XDG_…_HOME` variables
  ///   are used. As the specification requires, relative paths in the `XDG_…_HOME` variables are ignored.
  /// - Throws: `ShareEngineError` if a folder cannot be determined because neither its variable nor `HOME` is set.
  public init(environment: [String: String]) throws(ShareEngineError) {
    func baseFolder(_ variable: String, _ byDefault: String) throws(ShareEngineError) -> String {
      if let path = environment[variable], path.hasPrefix("/") { return path }
      guard let home = environment["HOME"], home.hasPrefix("/") else {
        throw ShareEngineError(.noHome, ["variable": variable])
      }
      return "\(home)/\(byDefault)"
    }
    configurationFolder = try baseFolder("XDG_CONFIG_HOME", ".config") + "/bsc"
    stateFolder = try baseFolder("XDG_STATE_HOME", ".local/state") + "/bsc"
    cacheFolder = try baseFolder("XDG_CACHE_HOME", ".cache") + "/bsc"
    dataFolder = try baseFolder("XDG_DATA_HOME", ".local/share") + "/bsc"
  }

  /// The path of the user's settings file, which might not exist.
  public var configurationFile: String { "\(configurationFolder)/config.toml" }
  /// The path of the SQLite database that stores all jobs.
  public var journalFile: String { "\(stateFolder)/journal.sqlite" }
  /// The path of the SQLite database that stores social actions until the backend has performed them.
  public var socialQueueFile: String { "\(stateFolder)/social-queue.sqlite" }
  /// The path of the SQLite database that stores feeds and profiles for use without a connection.
  public var socialCacheFile: String { "\(cacheFolder)/social.sqlite" }
  /// The path of the file that stores the active family of each account.
  public var activeFamiliesFile: String { "\(stateFolder)/recruiting-families.json" }
  /// The folder that contains a lock file for each job in progress.
  public var locksFolder: String { "\(stateFolder)/locks" }
  /// The folder that contains a subfolder for each unfinished job.
  public var jobsFolder: String { "\(stateFolder)/jobs" }
  /// The folder that contains records of uploads to user-provided URLs.
  public var uploadsFolder: String { "\(stateFolder)/uploads" }
  /// The folder that contains a file (mode 0600) for each secret.
  public var secretsFolder: String { "\(stateFolder)/secrets" }
  /// The folder that contains the local backend's database and clips.
  public var localBackendFolder: String { "\(dataFolder)/local" }

  /// Returns the folder that contains an unfinished job's processed clip and pictures.
  public func jobFolder(_ job: UUID) -> String { "\(jobsFolder)/\(job.uuidString.lowercased())" }

  /// Returns the path of an unfinished job's processed clip.
  func jobClip(_ job: UUID) -> String { "\(jobFolder(job))/clip.mp4" }

  /// Returns the path of the lock file that protects a job.
  public func lockFile(_ job: UUID) -> String { "\(locksFolder)/\(job.uuidString.lowercased()).lock" }

  /// Creates the state folders with mode 0700. Existing folders remain unchanged.
  /// - Throws: `DurableFileError` if a folder cannot be created.
  public func createStateFolders() throws {
    for folder in [stateFolder, locksFolder, jobsFolder, secretsFolder] { try Folder.create(folder) }
  }
}
