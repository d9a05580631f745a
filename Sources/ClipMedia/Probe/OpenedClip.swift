public import ClipModel
package import DurableFiles
import Foundation
import ISOMedia
import LibAV
import Privacy

/// What is read from a source, once: its facts, its identity and the positions in its metadata.
///
/// A run opens each source once and hands the value on: the plan uses the facts, and the search of the output uses the
/// positions. Safe to use from any thread.
public struct OpenedClip: Sendable {
  /// Absolute or relative to the current folder, as it was given.
  public let path: String
  /// Its facts, read from headers, sample tables and packets.
  public let probe: ClipProbe
  /// The file that was read; a file that changes has another one.
  package let identity: FileIdentity
  /// Open as long as this value is used: what a run reads is this file, whatever gets its name meanwhile.
  let file: ReadOnlyFile
  let positions: SourcePositions

  /// Opens a file, reads its facts and audits it; on a thread of its own.
  /// - Parameters:
  ///   - path: of a media file.
  ///   - known: its facts, when an earlier run read them. Then only the audit is repeated.
  /// - Throws: `ClipMediaError.notMedia` or `.cutOff`, `FFmpegError`, `DurableFileError` for a missing or unreadable
  ///   file, `ISOMediaError`, `CancellationError`.
  public init(path: String, known: ClipProbe? = nil) async throws {
    self = try await MediaThread.run(named: "bsc probe") { interruption in
      try OpenedClip(path: path, known: known, interruption: interruption)
    }
  }

  /// - Parameter keyFrameLimit: the number of key frames whose times are read.
  init(
    path: String, known: ClipProbe? = nil, keyFrameLimit: Int = GOPReader.timesLimit, interruption: Interruption
  ) throws {
    self.path = path
    let identity = try FileIdentity.of(path)
    let source = try MediaFile(path: path, interruption: interruption)
    let (probe, audit) =
      if let known {
        (known, try Auditor.audit(source.file, of: source.bytes, depth: .structure))
      } else {
        try Prober.probeAndAudit(source, interruption: interruption, keyFrameLimit: keyFrameLimit)
      }
    self.probe = probe
    self.identity = identity
    file = source.source
    positions = SourcePositions(audit)
  }

  /// The file's name.
  public var name: String { (path as NSString).lastPathComponent }

  /// A demuxer at the start of the file.
  func container(_ analysis: InputContainer.Analysis, interruption: Interruption) throws -> InputContainer {
    try InputContainer(path: path, descriptor: file.descriptor, interruption: interruption, analysis: analysis)
  }

  /// - Throws: `ClipMediaError.changed` when the file has changed since it was read.
  package func requireUnchanged() throws {
    guard try FileIdentity.of(path) == identity else { throw ClipMediaError.changed(name: name) }
  }
}
