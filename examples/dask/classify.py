"""Classifies rows of many sessions on a Dask cluster, with `turnscope pipe` as the worker.

    python3 classify.py SCHEDULER INPUT OUT [--parts 64] [--turnscope "npx turnscope"]

INPUT is a folder of .jsonl files with "session", "turn" and "message", OUT a folder; all workers see both.
Rows are divided by session, so that a part can be classified by itself, and each part is sorted by turn.
Every file is written under another name and then renamed: a worker may die at any moment, its work is
done again by another one, and the same rows come out. Bad lines end in OUT/errors-*.jsonl.
"""
import argparse, json, os, shlex, subprocess, zlib
from pathlib import Path

from distributed import Client, as_completed


def write(path, lines):
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    partial.write_text("".join(lines), encoding="utf8")
    partial.replace(path)


def key_of(line):
    """Session and turn; a line that has none is left for the worker to report."""
    try:
        row = json.loads(line)
        return json.dumps(row["session"]), float(row["turn"])
    except (ValueError, TypeError, KeyError):
        return "", 0


def divide(source, work, parts):
    """Divides one file by session."""
    divided = [[] for _ in range(parts)]
    with open(source, encoding="utf8") as lines:
        for line in lines:
            if line.strip():
                part = zlib.crc32(key_of(line)[0].encode()) % parts
                divided[part].append(line if line.endswith("\n") else line + "\n")
    for part, found in enumerate(divided):
        write(work / str(part) / source.name, found)


def classify(part, work, out, command):
    """Classifies the sessions of one part. Exit code 2: a line could not be used, and is in the errors."""
    lines = [line for path in sorted((work / str(part)).glob("*.jsonl")) for line in open(path, encoding="utf8")]
    lines.sort(key=key_of)
    errors = out / f".errors-{part}.{os.getpid()}"
    ran = subprocess.run([*shlex.split(command), "--errors", str(errors)],
                         input="".join(lines), capture_output=True, encoding="utf8", check=False)
    if ran.returncode not in (0, 2):
        raise RuntimeError(ran.stderr)
    errors.replace(out / f"errors-{part:05}.jsonl")
    write(out / f"part-{part:05}.jsonl", [ran.stdout])
    return part


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("scheduler", "input", "out"): parser.add_argument(name)
    parser.add_argument("--parts", type=int, default=64)
    parser.add_argument("--turnscope", default="npx turnscope")
    given = parser.parse_args()
    out, command = Path(given.out).resolve(), f"{given.turnscope} pipe"
    (work := out / "divided").mkdir(parents=True, exist_ok=True)
    with Client(given.scheduler) as client:
        sources = Path(given.input).resolve().glob("*.jsonl")
        client.gather([client.submit(divide, each, work, given.parts, pure=False) for each in sources])
        tasks = [client.submit(classify, part, work, out, command, pure=False) for part in range(given.parts)]
        for task in as_completed(tasks):
            print(f"part {task.result()} of {given.parts}", flush=True)


if __name__ == "__main__":
    main()
