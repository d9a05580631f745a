public import ClipModel
package import DurableFiles
import Foundation
import ISOMedia
import LibAV
import Privacy

/// An open source clip, with its properties, its identity, its boxes and the GPS positions in its metadata.
///
/// Each run opens a source and reads its boxes only once. The plan uses the properties, the checks of the samples use
/// the boxes, and the audit of the output uses the GPS positions. Can be used on any thread.
public struct OpenedClip: Sendable {
  /// The path that was passed to the initializer.
  public let path: String
  /// The clip's properties, read from headers, sample tables and packets.
  public let probe: ClipProbe
  /// The identity of the file, which changes if the file is modified or replaced.
  package let identity: FileIdentity
  /// The open file. Keeping it open ensures that a run always reads the same file, even if a different file replaces it
  /// under the same name.
  let file: ReadOnlyFile
  /// The boxes, or `nil` if the file isn't an ISO base media file. The entries of sample tables stay in the file, so
  /// the boxes need only some kilobytes. A fragmented file needs about 130 bytes more for each fragment, at most about
  /// 64 MB.
  let boxes: ISOFile?
  let positions: SourcePositions

  /// Opens a file, reads its properties and audits its metadata, on a separate thread.
  /// - Parameters:
  ///   - path: the path of a media file.
  ///   - known: the properties from an earlier run, if available. If set, only the audit is repeated.
  /// - Throws: `ClipMediaError.notMedia` or `.cutOff`, `FFmpegError`, `DurableFileError` if the file is missing or
  ///   unreadable, `ISOMediaError`, or `CancellationError`.
  public init(path: String, known: ClipProbe? = nil) async throws {
    self = try await MediaThread.run(named: "bsc probe") { interruption in
      try OpenedClip(path: path, known: known, interruption: interruption)
    }
  }

  /// - Parameter keyFrameLimit: the maximum number of key frames whose times are read.
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
    boxes = source.file
    positions = SourcePositions(audit)
  }

  /// The file's name.
  public var name: String { (path as NSString).lastPathComponent }

  /// Opens a demuxer at the start of the file.
  func openContainer(_ analysis: InputContainer.Analysis, interruption: Interruption) throws -> InputContainer {
    try InputContainer(path: path, descriptor: file.descriptor, interruption: interruption, analysis: analysis)
  }

  /// Computes the fingerprint of the open file (`FileDigest.fingerprint`), for which 1 MiB is read. Blocks.
  func fingerprint() throws -> String {
    let bytes = FileBytes(file)
    return try FileDigest.fingerprint(byteCount: file.byteCount) { try bytes.bytes(at: $0, count: $1) }
  }

  /// - Throws: `ClipMediaError.changed` if the file has changed since it was opened.
  package func requireUnchanged() throws {
    guard try FileIdentity.of(path) == identity else { throw ClipMediaError.changed(name: name) }
  }
}
