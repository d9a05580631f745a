/// Key-value metadata in the format of QuickTime and Android: names in a `keys` box, and values in an `ilst` box, which
/// refers to the names by one-based index.
public struct MetadataItems: Equatable, Sendable {
  /// A metadata value and its name.
  public struct Item: Equatable, Sendable {
    /// The key, such as `com.apple.quicktime.location.ISO6709`.
    public var name: String
    /// The item's box in `ilst`, which contains `data` boxes.
    public var box: Box
  }

  /// The child boxes of `meta`, in file order.
  public private(set) var boxes: [Box] = []
  /// The items with names, in `ilst` order.
  public private(set) var items: [Item] = []
  /// The unnamed items in `ilst`: iTunes metadata, which is identified by box type.
  public private(set) var unnamed: [Box] = []
  /// The data after the last child box.
  public private(set) var rest: Range<Int64> = 0..<0
  /// The reason why `meta` could not be read completely; `nil` if it could.
  public private(set) var problem: String?
  private var keys: [(namespace: FourCC, name: [UInt8])] = []

  /// The maximum size in bytes of a `keys` box. A typical one has a few hundred bytes.
  private static let keysLimit = 1 << 20

  public static func == (left: MetadataItems, right: MetadataItems) -> Bool {
    left.boxes == right.boxes && left.items == right.items && left.unnamed == right.unnamed
  }

  /// Reads the child boxes of `meta`. Damage doesn't throw an error; `problem` describes it.
  /// - Throws: an error if the source cannot be read.
  public init(meta: Box, in source: any ByteSource) throws(ISOMediaError) {
    // In ISO files, but not in QuickTime files, a version and flags precede the child boxes.
    var cursor = try source.cursor(in: meta.payload, atMost: 8)
    let isQuickTime = cursor.skip(4) && cursor.fourCC() == "hdlr"
    var reader = BoxReader(source: source, childrenOf: meta, skipping: isQuickTime ? 0 : 4)
    boxes = try reader.remainingBoxes()
    problem = reader.problem
    rest = reader.rest
    if let box = boxes.first(where: { $0.type == "keys" }) { try readKeys(box, in: source) }
    for list in boxes where list.type == "ilst" {
      var items = BoxReader(source: source, childrenOf: list)
      while let item = try items.next() {
        let index = Int(item.type.rawValue) - 1
        if keys.indices.contains(index) {
          self.items.append(Item(name: String(decoding: keys[index].name, as: UTF8.self), box: item))
        } else {
          unnamed.append(item)
        }
      }
      problem = problem ?? items.problem
    }
  }

  private mutating func readKeys(_ box: Box, in source: any ByteSource) throws(ISOMediaError) {
    var cursor = try source.cursor(in: box.payload, atMost: Self.keysLimit)
    guard cursor.skip(4), let count = cursor.u32() else { return }
    while keys.count < count, let size = cursor.u32(), size >= 8, let namespace = cursor.fourCC(),
      let name = cursor.take(Int(size) - 8)
    {
      keys.append((namespace, Array(name)))
    }
    if keys.count < count { problem = "\(box.path) declares \(count) keys but contains \(keys.count)" }
  }

  /// Returns new `keys` and `ilst` boxes for `MovieEdits.replacedBoxes` that omit the removed items. Unused names are
  /// omitted too, because they reveal which items existed.
  public func replacementBoxes(
    removing isRemoved: (Box) -> Bool, in source: any ByteSource
  ) throws(ISOMediaError) -> [Int64: [UInt8]] {
    var order: [Int] = []
    for item in items where !isRemoved(item.box) {
      let number = Int(item.box.type.rawValue) - 1
      if !order.contains(number) { order.append(number) }
    }
    var names = BoxWriter()
    names.fullBox("keys") { box in
      box.u32(UInt32(order.count))
      for number in order {
        box.u32(UInt32(8 + keys[number].name.count))
        box.fourCC(keys[number].namespace)
        box.append(keys[number].name)
      }
    }
    var replaced: [Int64: [UInt8]] = [:]
    for box in boxes where box.type == "keys" { replaced[box.range.lowerBound] = names.bytes }
    for list in boxes where list.type == "ilst" {
      var content = BoxWriter()
      var reader = BoxReader(source: source, childrenOf: list)
      while let item = try reader.next() {
        if isRemoved(item) { continue }
        let number = Int(item.type.rawValue) - 1
        // An unnamed item's type is not an index, so it stays unchanged.
        let type = order.firstIndex(of: number).map { FourCC(UInt32($0 + 1)) } ?? item.type
        let bytes = try source.bytes(at: item.payload.lowerBound, count: item.payload.count)
        content.box(type) { $0.append(bytes) }
      }
      var writer = BoxWriter()
      writer.box("ilst") { $0.append(content.bytes) }
      replaced[list.range.lowerBound] = writer.bytes
    }
    return replaced
  }
}
