/// The findings in the parts of a block or track, in order. Findings with the same kind and disclosure are merged.
package struct FindingList {
  package private(set) var findings: [PayloadFinding] = []

  package init(_ findings: [PayloadFinding] = []) {
    for finding in findings { add(finding) }
  }

  package mutating func add(_ finding: PayloadFinding) {
    let same = findings.firstIndex { $0.kind == finding.kind && $0.disclosure == finding.disclosure }
    if let same { findings[same].trace.add(finding.trace) } else { findings.append(finding) }
  }
}
