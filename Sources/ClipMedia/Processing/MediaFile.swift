import ClipModel
import DurableFiles
import Foundation
import ISOMedia
import LibAV

/// An open media file, its bytes and its boxes. The boxes are read only once.
struct MediaFile {
  let source: ReadOnlyFile
  let bytes: FileBytes
  /// The file's boxes, or `nil` if the file isn't an ISO base media file.
  let file: ISOFile?

  var path: String { source.path }
  var name: String { (path as NSString).lastPathComponent }

  /// Opens a file.
  /// - Throws: `ClipMediaError.notMedia` if the file is empty or its sample tables would require too much memory,
  ///   `DurableFileError` if the file is missing or unreadable, and `ISOMediaError`.
  init(path: String, interruption: Interruption) throws {
    // Report a missing file in the same way as other code that reads files.
    _ = try FileIdentity.of(path)
    let source = try ReadOnlyFile(path: path)
    self.source = source
    let name = (path as NSString).lastPathComponent
    guard source.byteCount > 0 else { throw ClipMediaError.notMedia(name: name, why: "the file is empty") }
    bytes = FileBytes(source) { interruption.isInterrupted }
    file = try ISOFile.read(from: bytes)
    // libav trusts the sample tables and allocates memory for each sample.
    if let excess = file?.implausibleTrack { throw ClipMediaError.notMedia(name: name, why: excess) }
  }

  /// Uses the file and the boxes of an open clip.
  /// - Parameter interruption: ends later reads of the bytes.
  init(_ clip: OpenedClip, interruption: Interruption) {
    source = clip.file
    bytes = FileBytes(clip.file) { interruption.isInterrupted }
    file = clip.boxes
  }

  /// Opens a demuxer for the file.
  /// - Throws: `ClipMediaError.cutOff` or `.notMedia` if the file cannot be opened.
  func open(_ analysis: InputContainer.Analysis, interruption: Interruption) throws -> InputContainer {
    do {
      return try InputContainer(
        path: path, descriptor: source.descriptor, interruption: interruption, analysis: analysis)
    } catch {
      guard error.isPermanent else { throw error }
      let boxes = file?.topLevelBoxes.map(\.type) ?? []
      if boxes.contains("mdat"), !boxes.contains("moov") { throw ClipMediaError.cutOff(name: name) }
      let why =
        error.isForbiddenFormat
        ? "it is not a video" : "it is not a video, or it is too damaged to open (\(error.logLine ?? error.codeText))"
      throw ClipMediaError.notMedia(name: name, why: why)
    }
  }
}
