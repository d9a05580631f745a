import ClipModel
import Foundation
import Testing

@testable import Reports
@testable import bsc

@Suite struct ReportSARIFTests {
  @Test func rulesAreThoseOfCatalog() throws {
    let driver = try run()["tool"]["driver"]
    #expect(driver["name"].text == "bsc" && driver["version"].text == "1.2.3")
    #expect(driver["rules"].items.map(\.["id"].text) == ReportSamples.rules.map(\.id))
    #expect(
      driver["rules"].items.map(\.["defaultConfiguration"]["level"].text) == ["error", "warning", "note"])
    let rule = driver["rules"][0]
    #expect(rule["shortDescription"]["text"].text == "a clip lasts 3 to 60 s")
    #expect(rule["fullDescription"]["text"].text == "Rallies do")
    #expect(rule["help"]["markdown"].text?.contains("**Fix:** bsc share --trim") == true)
    #expect(driver["rules"][1]["help"]["markdown"].text?.contains("Fix:") == false)
  }

  @Test func findingsAreResultsOfRules() throws {
    let results = try run()["results"].items
    let failing = results.filter { $0["kind"].text == "fail" }
    #expect(failing.count == ReportSamples.all.flatMap(\.findings).count)
    for result in failing {
      if let index = result["ruleIndex"].number {
        #expect(ReportSamples.rules[index].id == result["ruleId"].text)
      } else {
        #expect(result["ruleId"].text == "rally.odd")
      }
    }
    #expect(failing.map(\.["level"].text) == ["warning", "error", "note", "warning", "warning", "note"])
    #expect(failing[0]["properties"]["place"].text == "video track")
  }

  @Test func unknownChecksAreOpen() throws {
    let open = try run()["results"].items.filter { $0["kind"].text == "open" }
    #expect(open.map(\.["ruleId"].text) == ["mux.edit-list"])
    #expect(open.allSatisfy { $0["level"].text == "none" })
  }

  @Test func uncheckableFileIsReported() throws {
    let invocation = try run()["invocations"][0]
    #expect(invocation["executionSuccessful"].isTrue == false)
    let notifications = invocation["toolExecutionNotifications"].items
    #expect(notifications.count == 1 && notifications.first?["level"].text == "error")
    #expect(try run([ReportSamples.refused])["invocations"][0]["executionSuccessful"].isTrue == true)
  }

  /// Texts from files are not interpreted as placeholders or links.
  @Test(arguments: [
    ("{0} of {1}", "{{0}} of {{1}}"), ("[here](1)", "[here] (1)"), ("[a](\u{301}1)", "[a] (\u{301}1)"),
    ("segments[3] (late)", "segments[3] (late)"),
  ])
  func messagesAreEscaped(message: String, written: String) throws {
    let result = try run([ReportSamples.finding(message: message)])["results"][0]
    #expect(result["message"]["text"].text == written)
  }

  @Test func fingerprintsAreDistinctAndStable() throws {
    let before = try fingerprints(ReportSamples.all)
    #expect(Set(before).count == before.count)
    var changed = ReportSamples.all
    for file in changed.indices {
      changed[file].seconds += 1
      for finding in changed[file].findings.indices { changed[file].findings[finding].message += "!" }
    }
    #expect(try fingerprints(changed) == before)
    changed[1].findings[0].place = "audio track"
    #expect(try fingerprints(changed) != before)
    // Literal values, because fingerprints must not change between versions.
    #expect(try fingerprints([ReportSamples.finding()]) == ["24ef31d5cc5906ed:1"])
  }

  @Test(arguments: [
    ("season/a b.mp4", "season/a%20b.mp4", "SRCROOT"), ("./a//b.mp4", "a/b.mp4", "SRCROOT"),
    ("../up.mp4", "../up.mp4", "SRCROOT"), ("x:y.mp4", "x%3Ay.mp4", "SRCROOT"),
    ("50%, #1?.mp4", "50%25%2C%20%231%3F.mp4", "SRCROOT"), ("two\nlines", "two%0Alines", "SRCROOT"),
    ("Ü.mp4", "%C3%9C.mp4", "SRCROOT"), ("/root/a b.mp4", "file:///root/a%20b.mp4", nil),
  ])
  func pathsBecomeURIs(path: String, uri: String, base: String?) throws {
    let artifact = try artifact(of: path)
    #expect(artifact["uri"].text == uri && artifact["uriBaseId"].text == base)
  }

  @Test(arguments: ReportSamples.names)
  func namesAreDecodedFromURIs(name: String) throws {
    let uri = try #require(try artifact(of: name)["uri"].text)
    #expect(uri.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
    let plain = name.replacing("./a//b", with: "a/b")
    #expect(uri.removingPercentEncoding?.hasSuffix(plain) == true)
    #expect(URL(string: uri)?.scheme == (name.hasPrefix("/") ? "file" : nil))
  }

  private func run(_ results: [ValidationResult] = ReportSamples.all) throws -> ReportJSONNode {
    let log = try ReportJSONNode(ReportSamples.write(.sarif, results))
    #expect(log["version"].text == "2.1.0" && log["runs"].items.count == 1)
    return log["runs"][0]
  }

  private func artifact(of path: String) throws -> ReportJSONNode {
    let result = try run([ReportSamples.finding(file: path)])["results"][0]
    return result["locations"][0]["physicalLocation"]["artifactLocation"]
  }

  private func fingerprints(_ results: [ValidationResult]) throws -> [String] {
    try run(results)["results"].items.compactMap { $0["partialFingerprints"]["fileRulePlace/v1"].text }
  }
}
