import Foundation

#if canImport(FoundationXML)
import FoundationXML
#endif

/// An XML element, read with Foundation's parser.
struct ReportXMLNode {
  var name: String
  var attributes: [String: String]
  var children: [ReportXMLNode] = []
  var text = ""

  /// The root of a document.
  init(_ document: String) throws {
    let reader = Reader()
    let parser = XMLParser(data: Data(document.utf8))
    parser.delegate = reader
    guard parser.parse(), let root = reader.open.first?.children.first else {
      throw parser.parserError ?? CocoaError(.fileReadCorruptFile)
    }
    self = root
  }

  private init(name: String, attributes: [String: String] = [:]) {
    self.name = name
    self.attributes = attributes
  }

  func children(_ name: String) -> [ReportXMLNode] { children.filter { $0.name == name } }

  private final class Reader: NSObject, XMLParserDelegate {
    /// The document itself, and the elements that are not closed yet.
    var open = [ReportXMLNode(name: "")]

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
      attributes: [String: String]
    ) {
      open.append(ReportXMLNode(name: name, attributes: attributes))
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) { open[open.count - 1].text += text }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
      let closed = open.removeLast()
      open[open.count - 1].children.append(closed)
    }
  }
}
