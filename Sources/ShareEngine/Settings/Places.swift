import ClipModel
import DurableFiles
public import Foundation

/// The folders of bsc: absolute paths according to the XDG Base Directory Specification 0.8, computed from the environment.
public struct Places: Sendable, Equatable {
  /// `$XDG_CONFIG_HOME/bsc`: the user's settings.
  public let configurationFolder: String
  /// `$XDG_STATE_HOME/bsc`: journal, locks, job folders and secrets.
  public let stateFolder: String
  /// `$XDG_CACHE_HOME/bsc`: data that can be deleted at any time.
  public let cacheFolder: String
  /// `$XDG_DATA_HOME/bsc`: the local backend's data.
  public let dataFolder: String

  /// - Parameter environment: the process's variables; only `HOME` and the four `XDG_…_HOME` are used. Relative paths in
  ///   the latter are ignored, as the specification requires.
  /// - Throws: when neither `HOME` nor one of the other variables is set.
  public init(environment: [String: String]) throws(ShareEngineError) {
    func base(_ variable: String, _ byDefault: String) throws(ShareEngineError) -> String {
      if let path = environment[variable], path.hasPrefix("/") { return path }
      guard let home = environment["HOME"], home.hasPrefix("/") else {
        throw ShareEngineError(.noHome, ["variable": variable])
      }
      return "\(home)/\(byDefault)"
    }
    configurationFolder = try base("XDG_CONFIG_HOME", ".config") + "/bsc"
    stateFolder = try base("XDG_STATE_HOME", ".local/state") + "/bsc"
    cacheFolder = try base("XDG_CACHE_HOME", ".cache") + "/bsc"
    dataFolder = try base("XDG_DATA_HOME", ".local/share") + "/bsc"
  }

  /// The user's settings file, which may be missing.
  public var configurationFile: String { "\(configurationFolder)/config.toml" }
  /// The SQLite database of all jobs.
  public var journalFile: String { "\(stateFolder)/journal.sqlite" }
  /// One file for each job in progress.
  public var locksFolder: String { "\(stateFolder)/locks" }
  /// One folder for each unfinished job.
  public var jobsFolder: String { "\(stateFolder)/jobs" }
  /// Records of uploads to URLs specified by the user.
  public var uploadsFolder: String { "\(stateFolder)/uploads" }
  /// One file (0600) for each secret.
  public var secretsFolder: String { "\(stateFolder)/secrets" }
  /// The local backend's database and clips.
  public var localBackendFolder: String { "\(dataFolder)/local" }

  /// The folder with the processed clip and the pictures of an unfinished job.
  public func jobFolder(_ job: UUID) -> String { "\(jobsFolder)/\(job.uuidString.lowercased())" }

  /// The lock file of the process that works on the job.
  public func lockFile(_ job: UUID) -> String { "\(locksFolder)/\(job.uuidString.lowercased()).lock" }

  /// Creates the state folders (0700). Existing folders are left unchanged.
  /// - Throws: `DurableFileError`.
  public func createStateFolders() throws {
    for folder in [stateFolder, locksFolder, jobsFolder, secretsFolder] { try Folder.create(folder) }
  }
}
