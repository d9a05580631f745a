import Crypto
import DurableFiles
import Foundation
import Hummingbird
import Mustache
import Synchronization

/// The templates and static files of the web pages.
struct PageLibrary: Sendable {
  /// A version string in the URLs of static files, which lets browsers cache these files permanently.
  let version: String
  private let templates: ParsedTemplates
  private let files: [String: [UInt8]]

  private static let templateExtension = ".mustache"

  /// Loads the templates and static files.
  /// - Parameter pages: the files of each module, by name.
  init(_ pages: [[String: [UInt8]]]) {
    let all = Dictionary(uniqueKeysWithValues: pages.joined().map { ($0.key, $0.value) })
    func isTemplate(_ name: String) -> Bool { name.hasSuffix(Self.templateExtension) }
    templates = ParsedTemplates(all.filter { isTemplate($0.key) })
    files = all.filter { !isTemplate($0.key) }
    version = FileDigest.hexadecimal(
      SHA256.hash(data: files.sorted { $0.key < $1.key }.flatMap(\.value)).prefix(6))
  }

  /// The templates, which are parsed when the first page is rendered: most commands start a server and open no page.
  private final class ParsedTemplates: Sendable {
    private let sources: [String: [UInt8]]
    private let library = Mutex<MustacheLibrary?>(nil)

    init(_ sources: [String: [UInt8]]) { self.sources = sources }

    func get() throws -> MustacheLibrary {
      try library.withLock { library in
        if let library { return library }
        var parsed = MustacheLibrary()
        for (name, bytes) in sources {
          try parsed.register(
            PageEscaping.escapedTemplate(from: bytes), named: String(name.dropLast(templateExtension.count)))
        }
        library = parsed
        return parsed
      }
    }
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

  /// Renders a template with values. The template must be one of the program's files, which tests render.
  func text(_ template: String, _ values: [String: Any?]) -> String {
    let library: MustacheLibrary
    do {
      library = try templates.get()
    } catch {
      preconditionFailure("a template is invalid: \(error)")
    }
    let values = values.compactMapValues(\.self).merging(["version": version]) { $1 }
    guard let text = library.render(values, withTemplate: template) else {
      preconditionFailure("the template \(template) is missing")
    }
    return text
  }

  private static func response(_ name: String, _ bytes: [UInt8], cache: String) -> Response {
    let types = ["css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml"]
    let type = types[(name as NSString).pathExtension] ?? "application/octet-stream"
    return .text(bytes, type, cache: cache)
  }
}
