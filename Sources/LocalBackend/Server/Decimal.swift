import ClipModel

/// The number that decimal digits alone give: no sign, no spaces, no overflow.
func decimal(_ text: some StringProtocol) -> Int64? { Int64(digits: text) }
