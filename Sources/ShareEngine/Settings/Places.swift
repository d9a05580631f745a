import ClipModel
import DurableFiles
public import Foundation

/// Where bsc keeps what: absolute paths after the XDG Base Directory Specification 0.8, computed from the environment.
public struct Places: Sendable, Equatable {
  /// `$XDG_CONFIG_HOME/bsc`: the user's settings.
  public let configurationFolder: String
  /// `$XDG_STATE_HOME/bsc`: journal, locks, job folders and secrets.
  public let stateFolder: String
  /// `$XDG_CACHE_HOME/bsc`: only what may vanish.
  public let cacheFolder: String
  /// `$XDG_DATA_HOME/bsc`.
  public let dataFolder: String

  /// - Parameter environment: the process's; only `HOME` and the four `XDG_…_HOME` are read. Relative paths in the
  ///   latter are ignored, as the specification asks.
  /// - Throws: when neither `HOME` nor the variables tell where to go.
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

  /// The user's settings; need not exist.
  public var configurationFile: String { "\(configurationFolder)/config.toml" }
  /// All jobs, an SQLite database.
  public var journalFile: String { "\(stateFolder)/journal.sqlite" }
  /// A file for each job that somebody works on.
  public var locksFolder: String { "\(stateFolder)/locks" }
  /// A folder for each unfinished job.
  public var jobsFolder: String { "\(stateFolder)/jobs" }
  /// What uploads to URLs that somebody gave began with.
  public var uploadsFolder: String { "\(stateFolder)/uploads" }
  /// A file of 0600 for each secret.
  public var secretsFolder: String { "\(stateFolder)/secrets" }
  /// The local backend's database and clips.
  public var localBackendFolder: String { "\(dataFolder)/local" }

  /// The processed clip and the pictures of an unfinished job.
  public func jobFolder(_ job: UUID) -> String { "\(jobsFolder)/\(job.uuidString.lowercased())" }

  /// Held by whoever works on the job.
  public func lockFile(_ job: UUID) -> String { "\(locksFolder)/\(job.uuidString.lowercased()).lock" }

  /// Makes the folders of the state, 0700 each; those that exist stay as they are.
  /// - Throws: `DurableFileError`.
  public func createStateFolders() throws {
    for folder in [stateFolder, locksFolder, jobsFolder, secretsFolder] { try Folder.create(folder) }
  }
}
