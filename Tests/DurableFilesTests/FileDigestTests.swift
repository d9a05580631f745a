import ClipModel
import DurableFiles
import Foundation
import TestSupport
import Testing

@Suite struct FileDigestTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// The first two are test vectors of FIPS 180-2; the others were computed with coreutils' sha256sum.
  @Test(arguments: [
    (0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    (1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ((1 << 20) - 1, "3311ea1faad557de3899e89a39076c69d9d0cc5b4cff56a0b61339f487395d56"),
    (1 << 20, "9bc1b2a288b26af7257a36277ae3816a7d4f16e89c1e7e77d0a5c48bad62b360"),
    ((1 << 20) + 1, "4a3f0c0c213adea174f9a3d4c13177315b588bdb2e9c1012d3d0bf0453ca0f6a"),
  ])
  func digestMatchesReference(count: Int, digest: String) async throws {
    let path = try folder.write(String(repeating: "a", count: count), to: "letters")
    #expect(try await FileDigest.sha256(path: path) == digest)
  }

  @Test func missingFileFails() async throws {
    let error = await #expect(throws: DurableFileError.self) { try await FileDigest.sha256(path: folder.path("none")) }
    #expect(error?.explanation.category == .noInput)
  }

  /// Without the check in its loop, the digest of this file would take half an hour.
  @Test(.timeLimit(.minutes(10))) func cancellationStopsALongRead() async throws {
    let path = try folder.write("", to: "sparse")
    #expect(truncate(path, 1 << 40) == 0)
    let digest = Task { try await FileDigest.sha256(path: path) }
    digest.cancel()
    await #expect(throws: CancellationError.self) { try await digest.value }
  }
}
