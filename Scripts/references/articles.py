"""Articles of the catalogues: their code is that of the samples."""

import re

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PRODUCT = re.compile(r'\.product\(name: "(\w+)", package: "bsc"\),')
RUN = re.compile(r"swift run ([\w-]+)")


def check(root, names):
    """`file:line: what` of each block that is not in a sample, and of each sample that nobody shows."""
    programs = root / "Samples/programs"
    sources = [*sorted(programs.glob("*/*.swift")), *sorted((root / "Samples/package/Sources").glob("*/*.swift"))]
    texts = {source: unindented(source.read_text()) for source in sources}
    shown = set()
    for name in names:
        for article in sorted((root / f"Sources/{name}").glob("*.docc/*.md")):
            text = article.read_text()
            for block in FENCE.finditer(text):
                where = f"{article.relative_to(root)}:{text.count(chr(10), 0, block.start()) + 1}"
                if block[1] == "swift":
                    yield from swift(where, block[2], names, texts, shown)
                for program in RUN.findall(block[2]):
                    if not (programs / program).is_dir():
                        yield f"{where}: there is no program {program} [code]"
    for source in sources:
        if source.is_relative_to(programs) and source not in shown:
            yield f"{source.relative_to(root)}: no article shows any of it [code]"


def swift(where, block, names, texts, shown):
    product = PRODUCT.fullmatch(block.strip())
    if product:
        if product[1] not in names:
            yield f"{where}: there is no product {product[1]} [code]"
        return
    lines = unindented(block)
    holders = [source for source, text in texts.items() if f"\n{lines}\n" in f"\n{text}\n"]
    shown.update(holders)
    if not holders:
        first = lines.split("\n")[0]
        yield f"{where}: this code is in no sample, so nobody compiles it: {first} … [code]"


def unindented(text):
    """Without the space at both ends of each line: in an article it stands further left."""
    return "\n".join(line.strip() for line in text.strip().split("\n"))
