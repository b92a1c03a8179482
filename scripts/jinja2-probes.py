"""Records what Jinja2 itself answers to our probes: fixtures/jinja2/probes.json. Needs python3-jinja2."""

import json
import pathlib
import jinja2

CONTEXT = {"name": "Ann", "n": 3, "x": 2.5, "yes": True, "no": False, "nil": None, "items": ["a", "b"],
           "nums": [1, 2, 3], "map": {"k": "v"}, "empty": [], "text": "The quick brown fox jumps over the dog",
           "html": "<b>&'\"", "mixed": [1, "a", None, True], "quote": ["it's"]}
PROBES = """{{ name }}|{{ missing }}|{{ yes }}|{{ no }}|{{ nil }}|{{ items }}|{{ nums }}|{{ mixed }}|{{ map }}|{{ x }}|{{ n }}|{{ empty }}|{{ quote }}
{% for i in missing %}{{ i }}{% endfor %}|{% for i in missing %}x{% else %}none{% endfor %}|{% for i in items %}{{ i }},{% endfor %}|{% for i in nums %}{{ loop.index }}{% endfor %}
{{ missing | upper }}|{{ missing | lower }}|{{ missing | length }}|{{ missing | join(",") }}|{{ missing | default("d") }}|{{ missing | trim }}|{{ missing | title }}|{{ missing | count }}|{{ missing | wordcount }}|{{ missing | e }}|{{ missing | truncate(3) }}|{{ missing | replace("a", "b") }}|{{ missing | list }}|{{ missing | sum }}
{% if missing %}y{% else %}n{% endif %}|{{ missing is defined }}|{{ name is defined }}|{{ missing is undefined }}|{{ "y" if missing else "n" }}|{{ not missing }}
{% raw %}{{ name }}{% endraw %}|{% raw %}{% if %}{% endraw %}|a{% raw %} {{ x }} {% endraw %}b
{{ x | round }}|{{ 3.14159 | round(2) }}|{{ 2.1 | round(0, "ceil") }}|{{ 2.9 | round(0, "floor") }}|{{ 3.5 | round }}|{{ 42 | round }}
{{ "%s is %d" | format("a", 3) }}|{{ "%.2f" | format(2.5) }}|{{ text | truncate(10) }}|{{ text | truncate(10, true) }}|{{ name | truncate(10) }}|{{ text | truncate(10, true, "!") }}
{{ items | count }}|{{ items | length }}|{{ nums | sum }}|{{ text | wordcount }}|{{ html | e }}|{{ html | escape }}|{{ map | length }}|{{ text | length }}
{{ n + 1 }}|{{ n / 2 }}|{{ n // 2 }}|{{ n % 2 }}|{{ n * 2 }}|{{ n > 2 }}|{{ n == 3 }}|{{ yes and no }}|{{ yes or no }}|{{ name ~ n }}|{{ name ~ yes }}
{{ items | join(", ") }}|{{ items | first }}|{{ items | last }}|{{ name | upper }}|{{ items[0] }}|{{ map.k }}|{{ map["k"] }}|{{ map.z }}|{{ name[0] }}|{{ items | reverse | list }}|{{ nums | map("string") | join("-") }}
{% set a = 1 %}{{ a }}|{% with a = 1 %}{{ a }}{% endwith %}|{# note #}x|{{ range(3) | list }}|{{ true }}|{{ none }}|{{ [1, "a"] }}|{{ (1, 2) }}|{{ {"a": 1} }}|{{ 1.0 }}|{{ "a" in items }}"""

env = jinja2.Environment(keep_trailing_newline=True)
out = []
for template in [one for line in PROBES.split("\n") for one in line.split("}|") if one]:
    template = template if template.endswith("}") or not template.count("{") > template.count("}") else template + "}"
    try:
        out.append({"template": template, "answer": env.from_string(template).render(CONTEXT)})
    except Exception as error:
        out.append({"template": template, "error": str(error)})
target = pathlib.Path(__file__).parent.parent / "fixtures/jinja2/probes.json"
target.write_text(json.dumps({"context": CONTEXT, "probes": out}, indent=1, ensure_ascii=False) + "\n")
print(len(out))
