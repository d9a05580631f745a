import ClipModel
import Foundation

/// An exported clip whose highlight never went away: nothing was done.
struct ExistingDocument: Encodable {
  var schema = "bsc.share/1"
  var status = "existing"
  /// Of a post of several clips: the first of them; `inputs` has all, in order.
  var input: String
  var inputs: [String]?
  var highlight: Highlight
  var watch: String

  /// - Parameter inputs: as they were named, at least one.
  init(_ inputs: [String], _ highlight: Highlight, _ links: HighlightLinks) {
    input = inputs.first ?? ""
    self.inputs = inputs.count > 1 ? inputs : nil
    self.highlight = highlight
    watch = links.watch
  }

  var text: StyledText {
    var lines: [StyledText] = ["\("shared before \(highlight.id.uuidString.lowercased())", .strong)"]
    for (position, input) in (inputs ?? [input]).enumerated() {
      lines.append(.fact(position == 0 ? "clip" : "", .whole(input.onOneLine)))
    }
    lines.append(.fact("sent", "nothing; the highlight is there (--force shares it once more)"))
    lines.append(.fact("watch", StyledText(watch)))
    return lines.lines
  }
}
