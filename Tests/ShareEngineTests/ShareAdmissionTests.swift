import ClipModel
import Foundation
import Testing

@testable import ShareEngine

/// What the jobs in the journal mean for a share and for its preview.
@Suite struct ShareAdmissionTests {
  private static let job = Jobs.job(.registered(Jobs.highlight, Jobs.clip))

  private static func request(_ caption: String?, exportedID: UUID? = nil) -> ShareAdmission.AdmissionRequest {
    var request = job.request
    if let caption { request.caption = caption }
    return ShareAdmission.AdmissionRequest(
      clips: [ShareClip(job.source, request)], exportedID: exportedID,
      explicit: ShareAdmission.ExplicitOptions(caption: caption))
  }

  private func describe(_ classification: ShareAdmission.Classification) -> String {
    switch classification {
    case .new: "new"
    case .unfinished: "unfinished"
    case .finished(_, let isSame): isSame ? "same" : "finished"
    case .different(let refusal), .conflict(let refusal): refusal.explanation.id
    }
  }

  @Test(
    arguments: [
      (nil, nil, "new"), (.new([]), nil, "new"), (.continued([job]), nil, "unfinished"),
      (.conflict(job), "Another one", "share.rival-job"), (.shared([job]), nil, "same"),
      (.sharedDifferently([job]), nil, "finished"), (.sharedDifferently([job]), "Another one", "share.exists"),
    ] as [(JobRegistry.ShareMatch?, String?, String)])
  func journalIsComparedWithRequest(match: JobRegistry.ShareMatch?, caption: String?, expected: String) {
    #expect(describe(ShareAdmission.classify(match, Self.request(caption), rowID: nil)) == expected)
  }

  /// The current highlight of an exported clip decides, and only about explicit options.
  @Test(
    arguments: [
      ("Another one", false, "finished"), ("Another one", true, "share.export-exists"), (nil, true, "finished"),
    ] as [(String?, Bool, String)])
  func exportIsComparedWithHighlight(caption: String?, isKnown: Bool, expected: String) {
    let request = Self.request(caption, exportedID: Self.job.highlightID)
    let classification = ShareAdmission.classify(
      .sharedDifferently([Self.job]), request, rowID: request.rowID(in: "local"),
      highlight: isKnown ? Jobs.highlight : nil)
    #expect(describe(classification) == expected)
  }

  /// Mux has no row that an exported clip could belong to.
  @Test func exportHasNoRowInMux() {
    let request = Self.request(nil, exportedID: Self.job.highlightID)
    #expect(request.rowID(in: "local") == Self.job.highlightID && request.rowID(in: "mux") == nil)
  }
}
