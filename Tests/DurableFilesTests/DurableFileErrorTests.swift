import ClipModel
import Foundation
import Testing

@testable import DurableFiles

@Suite struct DurableFileErrorTests {
  static let categories: [(Int32, FailureCategory, Bool)] = [
    (ENOENT, .noInput, false), (EBADF, .noInput, false), (EIO, .inputOutput, true), (ESTALE, .inputOutput, true),
    (ENXIO, .inputOutput, true), (ENOTCONN, .inputOutput, true), (EHOSTUNREACH, .inputOutput, true),
  ]

  /// A file on a disk that is offline isn't missing.
  @Test(arguments: categories) func readErrorsHaveTheirCategories(
    code: Int32, category: FailureCategory, isTransient: Bool
  ) {
    let error = DurableFileError(.read("a.mp4"), errno: code)
    #expect(error.explanation.category == category && error.isTransient == isTransient)
  }
}
