import ClipModel
import Foundation
import ShareEngine

/// A share event as JSON, printed as one line on stderr.
struct EventDocument: Encodable {
  var event: String
  var job: String
  var stage: String?
  /// The path of the clip; present only when a job is opened or continued.
  var file: String?
  var fraction: Double?
  var detail: String?
  /// The uploaded fraction of the clip; present only if the clip is uploaded while it's encoded.
  var uploadFraction: Double?
  /// The plan; present only when the step `plan` has ended.
  var plan: ProcessingPlan?
}

extension EventDocument {
  init(_ event: ShareEvent) {
    func id(_ job: UUID) -> String { job.uuidString.lowercased() }
    switch event {
    case .opened(let job, let isContinued):
      self.init(
        event: isContinued ? "continued" : "opened", job: id(job.id), stage: job.stage.name, file: job.source.path)
    case .began(let job, let step): self.init(event: "began", job: id(job), stage: step.rawValue)
    case .progressed(let job, let step, let fraction, let detail):
      self.init(
        event: "progress", job: id(job), stage: step.rawValue, fraction: fraction, detail: detail?.text,
        uploadFraction: detail?.uploadedFraction)
    case .ended(let job, let step):
      self.init(event: "ended", job: id(job.id), stage: step.rawValue, detail: job.stage.name)
      if case .planned(let plan, _) = job.stage { self.plan = plan }
    case .note(let job, let text): self.init(event: "note", job: id(job), detail: text)
    case .warning(let job, let text): self.init(event: "warning", job: id(job), detail: text)
    }
  }
}
