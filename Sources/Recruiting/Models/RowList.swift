public import Foundation

/// Decodes values with the names and times of the database.
enum RowDecoder {
  static var standard: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    decoder.dateDecodingStrategy = .custom { decoder in
      let container = try decoder.singleValueContainer()
      let text = try container.decode(String.self)
      guard let date = RecruitingDate.parse(text) else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(text) is not a time")
      }
      return date
    }
    return decoder
  }
}

/// Rows of a response. Invalid rows are skipped and reported, so that one of them doesn't hide the others.
public struct RowList<Row: Decodable & Sendable>: Decodable, Sendable {
  /// The valid rows, in their order.
  public let rows: [Row]
  /// The indexes of the skipped rows, with the reason.
  public let skipped: [(index: Int, reason: String)]

  /// Decodes a JSON array with the names of the database's columns.
  public static func decode(_ data: Data) throws -> RowList {
    try RowDecoder.standard.decode(RowList.self, from: data)
  }

  /// A response with more invalid rows has another format. Skipping millions of rows one by one would take minutes.
  private static var skippedLimit: Int { 1000 }

  /// Fails only if the content is not an array, or if more than 1,000 rows are invalid.
  public init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    var rows: [Row] = []
    var skipped: [(index: Int, reason: String)] = []
    while !container.isAtEnd {
      let index = container.currentIndex
      switch try container.decode(Attempt.self).result {
      case .success(let row): rows.append(row)
      case .failure(let error):
        guard skipped.count < Self.skippedLimit else { throw error }
        skipped.append((index, String(describing: error)))
      }
    }
    self.rows = rows
    self.skipped = skipped
  }

  /// Decoding an element never fails, so the container always moves to the next one.
  private struct Attempt: Decodable {
    let result: Result<Row, any Error>

    init(from decoder: any Decoder) throws {
      result = Result { try Row(from: decoder) }
    }
  }
}
