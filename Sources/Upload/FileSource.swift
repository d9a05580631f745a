import ClipModel
import DurableFiles

/// A complete file that stays open during the upload. The source fails as soon as the file's size, modification time or
/// inode changes.
public final class FileSource: UploadSource {
  private let path: String
  private let file: UploadFile
  private let identity: FileIdentity

  /// Opens a file for uploading.
  /// - Throws: `UploadError.sourceUnreadable` if the file is missing, empty or not a regular file.
  public init(path: String) throws(UploadError) {
    do throws(DurableFileError) {
      // Check the path before opening the file, because opening a pipe without a writer would block.
      identity = try FileIdentity.of(path)
    } catch {
      throw .sourceUnreadable("cannot be read: \(error.explanation.why)")
    }
    guard identity.byteCount > 0 else { throw .sourceUnreadable("is empty") }
    file = try UploadFile(path: path)
    self.path = path
  }

  public var byteCount: Int64? { identity.byteCount }

  public func waitForBytes(upTo end: Int64) -> Int64 { identity.byteCount }

  public func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
    unsafe try file.read(into: buffer, at: offset)
  }

  public func checkUnchanged() throws {
    let (open, named): (FileIdentity, FileIdentity)
    do throws(DurableFileError) {
      open = try file.identity()
      named = try FileIdentity.of(path)
    } catch {
      throw UploadError.sourceChanged("is missing (\(error.explanation.why))")
    }
    guard open == identity else { throw UploadError.sourceChanged("changed during the upload") }
    guard named == identity else { throw UploadError.sourceChanged("was replaced during the upload") }
  }
}
