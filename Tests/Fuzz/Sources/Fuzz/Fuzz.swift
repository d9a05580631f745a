import Foundation

/// libFuzzer's entry point. `BSC_FUZZ_TARGET` selects the target, so all targets share one build.
///
/// A target returns; anything that traps, hangs, or makes `require` fail is a finding.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = start.map { Array(UnsafeBufferPointer(start: $0, count: count)) } ?? []
  do {
    try chosen.run(bytes)
  } catch {
    fatalError("\(chosen.name) threw \(error)")
  }
  return 0
}

private let chosen: FuzzTarget = {
  let name = ProcessInfo.processInfo.environment["BSC_FUZZ_TARGET"] ?? ""
  guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
    let names = FuzzTarget.all.map(\.name).joined(separator: ", ")
    fatalError("BSC_FUZZ_TARGET is \"\(name)\"; it has to be one of \(names)")
  }
  return target
}()

struct FuzzTarget: Sendable {
  var name: String
  var run: @Sendable ([UInt8]) throws -> Void

  static let all = [boxes, rewrite, audit, strip, formats, text, pictures, json, rules, metadata]
}

/// Traps if a condition that must hold for every input is false.
func require(_ condition: Bool, _ what: @autoclosure () -> String) {
  if !condition { fatalError(what()) }
}
