import ClipModel
import DurableFiles
import Foundation
import ISOMedia
import LibAV

/// An open media file with its bytes and boxes, which are read once.
struct MediaFile {
  let source: ReadOnlyFile
  let bytes: FileBytes
  /// The boxes; `nil` if it isn't an ISO base media file.
  let file: ISOFile?

  var path: String { source.path }
  var name: String { (path as NSString).lastPathComponent }

  /// - Throws: `ClipMediaError.notMedia` for an empty file and for tables that would fill the memory,
  ///   `DurableFileError` for a missing or unreadable one, `ISOMediaError`.
  init(path: String, interruption: Interruption) throws {
    // Report a missing file in the same way as all other code that reads files.
    _ = try FileIdentity.of(path)
    try self.init(ReadOnlyFile(path: path), interruption: interruption)
  }

  /// - Throws: the errors of `init(path:interruption:)`.
  init(_ source: ReadOnlyFile, interruption: Interruption) throws {
    self.source = source
    let name = (source.path as NSString).lastPathComponent
    guard source.byteCount > 0 else { throw ClipMediaError.notMedia(name: name, why: "the file is empty") }
    bytes = FileBytes(source) { interruption.isInterrupted }
    file = try ISOFile.read(from: bytes)
    // libav trusts sample tables and allocates an entry for each sample.
    if let excess = file?.implausibleTrack { throw ClipMediaError.notMedia(name: name, why: excess) }
  }

  /// Opens a demuxer.
  /// - Throws: `ClipMediaError.cutOff` or `.notMedia` for a file that cannot be opened.
  func open(_ analysis: InputContainer.Analysis, interruption: Interruption) throws -> InputContainer {
    do {
      return try InputContainer(
        path: path, descriptor: source.descriptor, interruption: interruption, analysis: analysis)
    } catch {
      guard !error.isInterruption, error.explanation.category == .unjudged else { throw error }
      let boxes = file?.topLevelBoxes.map(\.type) ?? []
      if boxes.contains("mdat"), !boxes.contains("moov") { throw ClipMediaError.cutOff(name: name) }
      let why =
        error.isForbiddenFormat
        ? "it is not a video" : "it is not a video, or it is too damaged to open (\(error.logLine ?? error.codeText))"
      throw ClipMediaError.notMedia(name: name, why: why)
    }
  }
}
