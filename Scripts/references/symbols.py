"""Public symbols of the libraries, as the toolchain extracts them from built modules."""

import functools
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

PRODUCT = re.compile(r'\.library\(name: "(\w+)"')
# Everybody has these.
KNOWN = {"Swift", "_Concurrency", "_StringProcessing", "Foundation", "FoundationEssentials", "Synchronization"}


def libraries(root):
    """The library products, which are named as their targets, in the order of Package.swift."""
    return PRODUCT.findall((root / "Package.swift").read_text())


@functools.cache
def tool(name):
    """A program of the toolchain that `swift` belongs to."""
    swift = shutil.which("swift") or sys.exit("reference: there is no swift on the PATH")
    path = Path(swift).resolve().parent / name
    return str(path) if path.exists() else sys.exit(f"reference: this toolchain has no {name}")


def run(name, *arguments, fails=False):
    done = subprocess.run([tool(name), *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0 and not fails:
        sys.exit(f"reference: {name} failed ({done.returncode}): {done.stderr.strip()[-1000:]}")
    return done


class Build:
    """The debug build: its modules, and where the compiler found those of C."""

    def __init__(self, root):
        folder = root / ".build/debug"
        manifest = root / ".build/debug.yaml"
        if not (folder / "Modules").is_dir() or not manifest.exists():
            sys.exit("reference: nothing was built; run swift build first")
        self.modules = folder / "Modules"
        self.triple = folder.resolve().parent.name
        text = manifest.read_text()
        maps = sorted(set(re.findall(r"-fmodule-map-file=([^\"]+)", text)))
        includes = sorted(set(re.findall(r'"-I","(/[^"]+)"', text)))
        self.flags = [flag for path in maps for flag in ("-Xcc", f"-fmodule-map-file={path}")]
        self.flags += [flag for path in includes for flag in ("-I", path)]

    def extract(self, name, output):
        output.mkdir(parents=True)
        run(
            "swift-symbolgraph-extract", "-module-name", name, "-target", self.triple, "-I", self.modules, *self.flags,
            "-minimum-access-level", "public", "-skip-synthesized-members", "-output-dir", output)
        return Graph(name, output)


class Graph:
    def __init__(self, name, folder):
        self.name = name
        self.folder = folder
        self.symbols = []
        for file in sorted(folder.glob("*.symbols.json")):
            self.symbols += json.loads(file.read_text())["symbols"]
        # Those of other modules that an extension's members belong to have no place here.
        self.public = [symbol for symbol in self.symbols if "location" in symbol]

    def undocumented(self, root):
        """Declarations without a comment: `file:line: what`."""
        documented = {path(symbol) for symbol in self.public if "docComment" in symbol}
        for symbol in self.public:
            if "docComment" not in symbol and not is_memberwise(symbol, documented):
                yield f"{place(symbol, root)}: {'.'.join(path(symbol))} is public and has no comment [symbols]"

    def foreign(self, names, root):
        """Types in public declarations whose module is in no product."""
        for symbol in self.public:
            for fragment in symbol["declarationFragments"]:
                module = module_of(fragment.get("preciseIdentifier", ""))
                if module and module not in names and module not in KNOWN and module not in PACKAGES:
                    yield (
                        f"{place(symbol, root)}: {'.'.join(path(symbol))} names {fragment['spelling']} of {module}, "
                        "which is in no product [outside]")


# Modules of other packages that public declarations may name.
PACKAGES = {"Logging"}


def path(symbol):
    return tuple(symbol["pathComponents"])


def place(symbol, root):
    location = symbol["location"]
    file = location["uri"].removeprefix("file://").removeprefix(f"{root}/")
    return f"{file}:{location['position']['line'] + 1}"


def is_memberwise(symbol, documented):
    """An initializer that takes properties, each of which is explained where it is declared."""
    if symbol["kind"]["identifier"] != "swift.init":
        return False
    names = parameters(symbol)
    return bool(names) and all(path(symbol)[:-1] + (name,) in documented for name in names)


def parameters(symbol):
    """Their names inside, which are those of the properties."""
    return [
        parameter.get("internalName", parameter["name"])
        for parameter in symbol.get("functionSignature", {}).get("parameters", [])]


def module_of(identifier):
    """Of a mangled name: `s:9ClipModel0A5ProbeV` belongs to ClipModel."""
    mangled = re.match(r"s:(\d+)(.*)", identifier)
    return mangled[2][: int(mangled[1])] if mangled else None
