import Foundation

/// A part of a JSON document, for tests that check some of its values.
struct ReportJSONNode {
  let value: Any?

  init(_ text: some StringProtocol) throws { value = try JSONSerialization.jsonObject(with: Data(text.utf8)) }

  private init(value: Any?) { self.value = value }

  subscript(key: String) -> ReportJSONNode { ReportJSONNode(value: (value as? [String: Any])?[key]) }

  subscript(index: Int) -> ReportJSONNode { items.indices.contains(index) ? items[index] : ReportJSONNode(value: nil) }

  var items: [ReportJSONNode] { (value as? [Any] ?? []).map(ReportJSONNode.init(value:)) }
  var text: String? { value as? String }
  var number: Int? { value as? Int }
  var isTrue: Bool? { value as? Bool }
  var isAbsent: Bool { value == nil }
}
