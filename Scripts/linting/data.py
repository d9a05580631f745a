"""Files that programs read: JSON, YAML, TOML, SVG."""

import json
import re
import subprocess
import tomllib
import xml.etree.ElementTree

from . import tools

# Reads each file it is named, and prints file:line:what of those that are none.
READ_YAML = """
import sys, yaml
for path in sys.argv[1:]:
    try:
        with open(path, encoding="utf-8") as file:
            list(yaml.safe_load_all(file))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        print(path, mark.line + 1 if mark else 1, getattr(error, "problem", None) or error, sep="\\t")
"""


def check(project):
    for path in project.named(".json"):
        try:
            json.loads(project.text(path), object_pairs_hook=unique)
        except json.JSONDecodeError as error:
            yield path, error.lineno, f"no JSON: {error.msg}"
        except ValueError as error:
            yield path, 1, f"no JSON: {error}"
    for path in project.named(".toml"):
        try:
            tomllib.loads(project.text(path))
        except tomllib.TOMLDecodeError as error:
            line = re.search(r"line (\d+)", str(error))
            yield path, int(line[1]) if line else 1, f"no TOML: {error}"
    for path in project.named(".svg", ".xml"):
        try:
            xml.etree.ElementTree.fromstring(project.text(path))
        except xml.etree.ElementTree.ParseError as error:
            yield path, error.position[0], f"no XML: {error}"
    yield from yaml(project)


def unique(pairs):
    """An object whose keys are different: readers do not agree about the others."""
    seen = dict(pairs)
    if len(seen) != len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"a key is there twice: {next(key for key in keys if keys.count(key) > 1)}")
    return seen


def yaml(project):
    paths = project.named(".yml", ".yaml")
    interpreter = tools.python(project) if paths else None
    if not interpreter:
        return
    done = subprocess.run([interpreter, "-c", READ_YAML, *paths], cwd=project.root, capture_output=True, text=True)
    for line in done.stdout.splitlines():
        path, number, what = line.split("\t", 2)
        yield path, int(number), f"no YAML: {what}"
    if done.returncode != 0:
        yield paths[0], 1, f"YAML could not be read: {done.stderr.strip().splitlines()[-1]}"
