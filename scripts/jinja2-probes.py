"""Records what Jinja2 itself answers to fixtures/jinja2/templates.json: probes.json beside it. Needs python3-jinja2."""

import json
import pathlib
import jinja2

CONTEXT = {"name": "Ann", "n": 3, "x": 2.5, "yes": True, "no": False, "nil": None, "items": ["a", "b"],
           "nums": [1, 2, 3], "map": {"k": "v"}, "empty": [], "text": "The quick brown fox jumps over the dog",
           "html": "<b>&'\"", "mixed": [1, "a", None, True], "quote": ["it's"]}

folder = pathlib.Path(__file__).parent.parent / "fixtures/jinja2"
env = jinja2.Environment(keep_trailing_newline=True)
out = []
for template in json.loads((folder / "templates.json").read_text()):
    try:
        out.append({"template": template, "answer": env.from_string(template).render(CONTEXT)})
    except Exception as error:
        out.append({"template": template, "error": str(error)})
(folder / "probes.json").write_text(json.dumps({"context": CONTEXT, "probes": out}, indent=1, ensure_ascii=False) + "\n")
print(len(out), "templates,", sum("answer" in each for each in out), "of them answered")
