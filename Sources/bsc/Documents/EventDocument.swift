import ClipModel
import Foundation
import ShareEngine

/// An event as JSON, one per line on stderr.
struct EventDocument: Encodable {
  var event: String
  var job: String
  var stage: String?
  /// The clip's path, where a job begins.
  var file: String?
  var fraction: Double?
  var detail: String?

  init(_ event: ShareEvent) {
    switch event {
    case .opened(let opened, let isContinued):
      self.event = isContinued ? "continued" : "opened"
      job = opened.id.uuidString.lowercased()
      stage = opened.stage.name
      file = opened.source.path
    case .began(let id, let arrow):
      self.event = "began"
      job = id.uuidString.lowercased()
      stage = arrow.rawValue
    case .progressed(let id, let arrow, let fraction, let detail):
      self.event = "progress"
      job = id.uuidString.lowercased()
      stage = arrow.rawValue
      self.fraction = fraction
      self.detail = detail?.text
    case .ended(let ended, let arrow):
      self.event = "ended"
      job = ended.id.uuidString.lowercased()
      stage = arrow.rawValue
      detail = ended.stage.name
    case .noted(let id, let text):
      self.event = "note"
      job = id.uuidString.lowercased()
      detail = text
    case .warned(let id, let text):
      self.event = "warning"
      job = id.uuidString.lowercased()
      detail = text
    }
  }
}
