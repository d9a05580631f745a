"""Breaks each thing that Scripts/reference looks at, in a copy, and wants it told."""

import copy
import shutil

from . import articles, symbols


def run(root, names, graphs, work, convert):
    """Prints what was not noticed, and returns how many that are."""
    copied = work / "project"
    for name in names:
        shutil.copytree(root / f"Sources/{name}/{name}.docc", copied / f"Sources/{name}/{name}.docc")
    shutil.copytree(root / "Samples", copied / "Samples", ignore=shutil.ignore_patterns("*.mp4", ".build"))
    (work / "archives").mkdir()
    first = names[0]
    landing = copied / f"Sources/{first}/{first}.docc/{first}.md"
    guide = copied / f"Sources/{first}/{first}.docc/GettingStartedWith{first}.md"
    missed = 0

    def expect(what, found):
        nonlocal missed
        told = list(found)
        print(f"{'told' if told else 'MISSED'}: {what}" + (f": {told[0]}" if told else ""))
        missed += not told

    def broken(file, old, new, look):
        text = file.read_text()
        if old not in text:
            return []
        file.write_text(text.replace(old, new, 1))
        try:
            return list(look())
        finally:
            file.write_text(text)

    whole = list(articles.check(copied, names)) + convert(copied, first, work, work / "archives")
    for problem in whole:
        print(f"MISSED: the copy is not clean: {problem}")
    missed += len(whole)

    def docc():
        return convert(copied, first, work, work / "archives")

    def code():
        return articles.check(copied, names)

    text = guide.read_text()
    line = text.split("```swift\n")[1].split("\n")[1]
    expect("a link to no symbol", broken(landing, "``ClipProbe``", "``ClipProbes``", docc))
    expect("a link to no article", broken(landing, "<doc:", "<doc:Not", docc))
    expect("code that no sample has", broken(guide, line, line + " // more", code))
    expect("a program that is not there", broken(guide, "swift run ", "swift run no-", code))
    expect("a product that is not there", broken(guide, f'name: "{first}"', 'name: "Nothing"', code))
    shutil.move(guide, work / "guide")
    expect("a sample that nobody shows", code())
    shutil.move(work / "guide", guide)
    shutil.move(landing.parent, work / "catalogue")
    expect("a library without a catalogue", docc())
    shutil.move(work / "catalogue", landing.parent)

    graph = copy.deepcopy(graphs[first])
    # A property whose initializer needs no comment because of it.
    memberwise = next(
        symbol for symbol in graph.public
        if symbol["kind"]["identifier"] == "swift.init" and "docComment" not in symbol)
    name = symbols.parameters(memberwise)[0]
    property_path = (*symbols.path(memberwise)[:-1], name)
    del next(symbol for symbol in graph.public if symbols.path(symbol) == property_path)["docComment"]
    expect("a declaration without a comment", graph.undocumented(root))
    expect("an initializer whose property lost its comment", [
        line for line in graph.undocumented(root) if ".init" in line])
    expect("a type that nobody can import", graph.foreign([name for name in names if name != first], root))
    return missed
