import ClipModel
import Foundation
import TestSupport
import Testing

@testable import ShareEngine

/// The app's selections and trims next to a match's metadata.
@Suite struct AppRallyFilesTests {
  private let video = UUID()
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private var files: AppRallyFiles { AppRallyFiles(metadataPath: folder.path("match.json"), videoID: video) }

  @Test func savedRalliesAreSorted() throws {
    try folder.write(#"{"saved":[5,0,2],"removed":[1],"favorited":[2]}"#, to: "\(video.uuidString)_selections.json")
    #expect(try files.readSavedRallies() == RallyIndexSelection([0, 2, 5]))
  }

  /// The name has the video's ID in upper or lower case, is derived from the metadata, or is specified by the user.
  @Test func fileIsFoundByItsName() throws {
    try folder.write(#"{"saved":[1],"removed":[]}"#, to: "match_selections.json")
    #expect(try files.readSavedRallies().indexes == [1])
    try folder.write(#"{"saved":[2],"removed":[]}"#, to: "\(video.uuidString.lowercased())_selections.json")
    #expect(try files.readSavedRallies().indexes == [2])
    let other = try folder.write(#"{"saved":[3],"removed":[]}"#, to: "other.json")
    #expect(try files.readSavedRallies(at: other).indexes == [3])
  }

  @Test func missingFileErrorHasTheSearchedNames() throws {
    let error = #expect(throws: ShareEngineError.self) { try files.readSavedRallies() }
    #expect(error?.explanation.category == .noInput)
    #expect(error?.explanation.id == "source.no-app-file")
    #expect(error?.explanation.facts["names"] == "\(video.uuidString)_selections.json or match_selections.json")
    #expect(error?.explanation.facts["folder"] == folder.path)
    #expect(throws: ShareEngineError.self) { try files.readTrims() }
  }

  @Test func trimsHaveDefaults() throws {
    try folder.write(
      #"{"0":{"before":0.5,"after":-1,"rotation":0,"zoom":1,"panX":0,"panY":0},"3":{"before":0,"after":2,"zoom":1.5}}"#,
      to: "match_trims.json")
    #expect(
      try files.readTrims() == [
        0: RallyTrim(before: 0.5, after: -1), 3: RallyTrim(before: 0, after: 2, changesPicture: true),
      ])
  }

  @Test(
    arguments: [
      "", "[]", #"{"removed":[1]}"#, #"{"saved":["1"]}"#, #"{"saved":[-1]}"#, #"{"saved":[1.5]}"#, #"{"saved":null}"#,
    ])
  func invalidSelectionsFail(text: String) throws {
    try folder.write(text, to: "match_selections.json")
    let error = #expect(throws: ShareEngineError.self) { try files.readSavedRallies() }
    #expect(error?.explanation.category == .rejected)
  }

  @Test(
    arguments: [
      #"{"a":{"before":0,"after":0}}"#, #"{"0":{"before":0}}"#, #"{"0":{"before":1e300,"after":0}}"#,
      #"{"-1":{"before":0,"after":0}}"#,
    ])
  func invalidTrimsFail(text: String) throws {
    try folder.write(text, to: "match_trims.json")
    let error = #expect(throws: ShareEngineError.self) { try files.readTrims() }
    #expect(error?.explanation.category == .rejected)
  }
}
