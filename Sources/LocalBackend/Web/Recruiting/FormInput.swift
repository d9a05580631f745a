#if Recruiting
import ClipModel
import Foundation
import GRDB
import Recruiting

/// A value in a form that can't be stored. The page shows the text.
struct FormProblem: Error {
  let text: String
}

/// Reads the fields of a form. Empty fields are null.
struct FormInput {
  private let fields: [String: String]

  init(_ fields: [String: String]) { self.fields = fields }

  /// The text of a field without spaces at its ends. Forms contain CRLF line breaks. The character NUL is replaced.
  func text(_ name: String) -> String {
    (fields[name] ?? "").withoutNUL.replacing("\r\n", with: "\n").trimmingCharacters(in: .whitespacesAndNewlines)
  }

  func optional(_ name: String, _ label: String, limit: Int) throws(FormProblem) -> DatabaseValue {
    let text = text(name)
    let length = TextLimit.characters.length(of: text)
    guard length <= limit else {
      throw FormProblem(text: "The \(label) has \(length) characters. The limit is \(limit).")
    }
    return text.isEmpty ? .null : text.databaseValue
  }

  func required(_ name: String, _ label: String, limit: Int) throws(FormProblem) -> DatabaseValue {
    let value = try optional(name, label, limit: limit)
    guard !value.isNull else { throw FormProblem(text: "The \(label) is missing.") }
    return value
  }

  func handle(_ name: String, on platform: SocialPlatform) throws(FormProblem) -> DatabaseValue {
    let text = text(name)
    if text.isEmpty { return .null }
    do throws(RecruitingError) { return try SocialHandle(text, on: platform).name.databaseValue } catch {
      throw FormProblem(text: RecruitingPageTexts.sentence(error))
    }
  }

  /// One of a list.
  func choice<Value: RawRepresentable<String>>(
    _ name: String, _ label: String, as: Value.Type
  ) throws(FormProblem) -> DatabaseValue {
    let text = text(name)
    if text.isEmpty { return .null }
    guard Value(rawValue: text) != nil else { throw FormProblem(text: "The \(label) is unknown.") }
    return text.databaseValue
  }

  /// The ID of one of the rows of a family.
  func reference(_ name: String, among ids: some Sequence<String>) throws(FormProblem) -> DatabaseValue {
    let text = text(name).lowercased()
    if text.isEmpty { return .null }
    guard ids.contains(text) else { throw FormProblem(text: "The \(name) no longer exists.") }
    return text.databaseValue
  }

  /// The time of a field of the type `datetime-local`, in the visitor's time zone.
  func time(_ name: String, in zone: RecruitingTimeZone) throws(FormProblem) -> DatabaseValue {
    let text = text(name)
    if text.isEmpty { return .null }
    guard let date = zone.date(ofField: text) else { throw FormProblem(text: "The date is invalid.") }
    return timestampText(date).databaseValue
  }
}

/// Sentences that pages show about errors.
enum RecruitingPageTexts {
  /// A phrase of an error as a sentence.
  static func sentence(_ phrase: String) -> String { "\(phrase.prefix(1).uppercased())\(phrase.dropFirst())." }

  static func sentence(_ error: RecruitingError) -> String { sentence("\(error)") }

  /// Why a row of a file is skipped.
  static func reason(_ problem: ImportProblem.Reason) -> String {
    switch problem {
    case .missing(let column): "The column \(column) is empty."
    case .invalid(let column, let value): "The column \(column) has the invalid value \"\(value.prefix(100))\"."
    case .tooLong(let column, let limit): "The column \(column) has more than \(limit) characters."
    case .refused(_, let error): sentence(error)
    case .unknown(let column, let value): "No \(column) has the name \"\(value.prefix(100))\"."
    case .ambiguous(let column, let value): "Several have the name \"\(value.prefix(100))\" (\(column))."
    case .tooManyFields(let count, let limit): "The row has \(count) fields, but the header has \(limit)."
    }
  }
}
#endif
