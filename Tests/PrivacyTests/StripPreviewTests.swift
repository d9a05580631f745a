import ClipModel
import DurableFiles
import Foundation
import Privacy
import TestSupport
import Testing

@Suite struct StripPreviewTests {
  /// A preview reports exactly the changes of the strip.
  @Test(arguments: LocationCarrierFile.all)
  func previewMatchesTheStrip(_ carrier: LocationCarrierFile) async throws {
    let folder = try ScratchFolder()
    let path = try carrier.write(to: folder)
    let out = folder.path("out." + carrier.fileExtension)
    let preview = try await Stripper.preview(source: path, destination: out)
    #expect(!FileManager.default.fileExists(atPath: out))
    let result = try await Stripper.strip(source: path, destination: out)
    #expect(preview.container == result.container)
    #expect(preview.removed == result.removed)
    #expect(preview.kept == result.kept)
    // The changes of other muxers are unknown before the strip.
    guard ["MP4", "QuickTime"].contains(preview.container) else { return }
    #expect(preview.cutPictures == result.cutPictures)
    #expect(preview.notes == result.notes)
  }

  @Test func refusesAnExistingDestinationBeforeAnyWork() async throws {
    let folder = try ScratchFolder()
    let path = try #require(LocationCarrierFile.all.first).write(to: folder)
    let out = try folder.write("taken", to: "out")
    for isDry in [true, false] {
      let error = await #expect(throws: DurableFileError.self) {
        if isDry {
          _ = try await Stripper.preview(source: path, destination: out)
        } else {
          _ = try await Stripper.strip(source: path, destination: out)
        }
      }
      #expect(error?.explanation.category == .usage)
    }
    #expect(try folder.text("out") == "taken")
  }
}
