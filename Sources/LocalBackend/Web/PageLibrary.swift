import Crypto
import DurableFiles
import Foundation
import Hummingbird
import Mustache

/// The templates and static files of the web pages.
struct PageLibrary: Sendable {
  /// A version string in the URLs of static files, which lets browsers cache these files permanently.
  let version: String
  private let templates: MustacheLibrary
  private let files: [String: [UInt8]]

  private static let templateExtension = ".mustache"

  /// Loads the templates and static files.
  /// - Parameter pages: the files of each module, by name.
  init(_ pages: [[String: [UInt8]]]) throws {
    let all = Dictionary(uniqueKeysWithValues: pages.joined().map { ($0.key, $0.value) })
    var templates = MustacheLibrary()
    for (name, bytes) in all where name.hasSuffix(Self.templateExtension) {
      try templates.register(
        PageEscaping.escapedTemplate(from: bytes), named: String(name.dropLast(Self.templateExtension.count)))
    }
    self.templates = templates
    files = all.filter { !$0.key.hasSuffix(Self.templateExtension) }
    version = FileDigest.hexadecimal(
      SHA256.hash(data: files.sorted { $0.key < $1.key }.flatMap(\.value)).prefix(6))
  }

  func add(to router: Router<BackendContext>) {
    for (name, bytes) in files {
      router.get("static/:version/\(name)") { [version] _, context in
        // Pages from a different bsc version also receive this file, but must not cache it.
        let isCurrent = try context.parameters.require("version") == version
        return Self.response(name, bytes, cache: isCurrent ? "public, max-age=31536000, immutable" : "no-cache")
      }
    }
    for name in ["style.css", "icon.svg"] {
      guard let bytes = files[name] else { continue }
      router.get("\(name)") { _, _ in Self.response(name, bytes, cache: "no-cache") }
    }
  }

  /// Renders a template with values.
  func text(_ template: String, _ values: [String: Any?]) -> String {
    templates.render(values.compactMapValues(\.self).merging(["version": version]) { $1 }, withTemplate: template) ?? ""
  }

  private static func response(_ name: String, _ bytes: [UInt8], cache: String) -> Response {
    let types = ["css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml"]
    let type = types[(name as NSString).pathExtension] ?? "application/octet-stream"
    return .text(bytes, type, cache: cache)
  }
}
