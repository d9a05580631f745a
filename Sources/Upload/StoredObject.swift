import Foundation

/// The part of a finished object's JSON that matters here.
struct StoredObject: Decodable {
  /// Google sends 64-bit numbers as text; others may send a number.
  let byteCount: Int64?

  init?(json: [UInt8]) {
    guard let object = try? JSONDecoder().decode(Self.self, from: Data(json)) else { return nil }
    self = object
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if let text = try? container.decode(String.self, forKey: .size) {
      byteCount = Int64(digits: text)
    } else {
      byteCount = try container.decodeIfPresent(Int64.self, forKey: .size)
    }
  }

  private enum CodingKeys: CodingKey {
    case size
  }
}
