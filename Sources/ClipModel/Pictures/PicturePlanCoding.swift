/// Encodes a plan as a JSON object with `kind` and the fields of its case, as in `bsc.plan/1` and in journals.
extension PicturePlan: Codable {
  private enum CodingKeys: CodingKey { case kind }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    switch try container.decode(PictureKind.self, forKey: .kind) {
    case .poster: self = .poster(try PosterPlan(from: decoder))
    case .sheet, .storyboard, .filmstrip: self = .tiles(try TilePlan(from: decoder))
    case .animated: self = .animation(try AnimationPlan(from: decoder))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(kind, forKey: .kind)
    switch self {
    case .poster(let plan): try plan.encode(to: encoder)
    case .tiles(let plan): try plan.encode(to: encoder)
    case .animation(let plan): try plan.encode(to: encoder)
    }
  }
}
