"""Benchmark of the sentiment analysis and the recruiting classifier, on one core."""

import json
import statistics
import subprocess

from .paired import ROOT, Run, spread

# Reads posts from a JSON file, and prints posts per second for each step.
DRIVER = """
import Foundation

let posts = try JSONDecoder().decode([String].self, from: Data(contentsOf: URL(filePath: CommandLine.arguments[1])))
let steps: [(String, (String) -> Bool)] = [
  ("score", { VaderScore($0).ratedWordCount > 0 }),
  ("sentiment", { SentimentAnalysis.sentiment(of: $0, language: "en") != nil }),
  ("language and sentiment", { SentimentAnalysis.sentiment(of: $0) != nil }),
  ("classifier", { RecruitingClassifier.standard.isRecruitingRelated($0) }),
]
for (name, step) in steps {
  var count = 0
  let time = ContinuousClock().measure { for post in posts where step(post) { count += 1 } }
  print(name, Double(posts.count) / (Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18), count, separator: "\\t")
}
"""
POSTS = [
    "Excited to host our 2027 prospects for camp this weekend! Great energy in the gym and a lot of talented setters. "
    "Register now, spots are going fast. #recruiting @stanfordwvb https://x.com/abc/status/123",
    "Tough loss tonight but so proud of how this team fought back. We will be better tomorrow. Thank you fans for the "
    "AMAZING support!!! 🏐❤️",
    "Match day. First serve at 7 pm in the main arena, doors open at 6.",
]


def sentiment(bench):
    folder = bench.folder / "sentiment"
    folder.mkdir(exist_ok=True)
    (folder / "main.swift").write_text(DRIVER)
    (folder / "posts.json").write_text(json.dumps(POSTS * 40_000))
    program = folder / "sentiment"
    sources = sorted((ROOT / "Sources/Recruiting").rglob("*.swift"))
    subprocess.run(["swiftc", "-O", "-wmo", "-swift-version", "6", "-module-name", "Recruiting", *sources, folder / "main.swift",
                    "-o", program], check=True)
    speeds = {}
    for _ in range(bench.runs(5)):
        for line in Run([program, folder / "posts.json"], is_on_one_core=True).output.decode().splitlines():
            name, speed, _ = line.split("\t")
            speeds.setdefault(name, []).append(float(speed) / 1000)
    print(f"{'':44}{'1000 posts/s':>24}")
    for name, values in speeds.items():
        if bench.wants(name):
            print(f"{name:44}{spread(values, 1):>24}", flush=True)
            bench.add(name, speed=values)
    # The smallest time per post is the largest speed.
    bench.limit("sentiment", 1000 / statistics.median(speeds["sentiment"]), 20, "us per post")
