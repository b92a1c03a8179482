"""Runs the document's own code, taken from its code blocks, and times it.

Reads {"spec", "cases": [{"name", "responses" | "queries", "repeat"}]} from stdin, writes
{"pydantic", "python", "cases": [{"name", "ms", "answers"}]}. Nothing of the document is kept here.
Where pydantic is not installed a small stand-in checks the same rules.
"""
import json
import pathlib
import re
import sys
import tempfile
import time
import types
import typing


def stand_in():
    """The part of pydantic that the field models use: types, lengths, bounds, validators."""
    missing = object()

    class Spec:
        def __init__(self, default=missing, **rules):
            self.default, self.rules = default, rules

    def field(default=missing, **rules):
        return Spec(missing if default is ... else default, **rules)

    def whole(value):
        if isinstance(value, bool):
            return int(value)
        if isinstance(value, int):
            return value
        if isinstance(value, float) and value == int(value):
            return int(value)
        if isinstance(value, str) and re.fullmatch(r"\s*[+-]?\d+(_\d+)*(\.0+)?\s*", value, re.A):
            return int(value.strip().split(".")[0].replace("_", ""))
        raise ValueError("int")

    def check(kind, value, rules):
        args = typing.get_args(kind)
        if typing.get_origin(kind) is typing.Union and type(None) in args:
            return None if value is None else check(args[0], value, rules)
        if kind is str:
            if not isinstance(value, str):
                raise ValueError("str")
        elif kind is int:
            value = whole(value)
        elif kind is float:
            value = float(value)
        elif typing.get_origin(kind) is list:
            if not isinstance(value, list):
                raise ValueError("list")
            value = [check(args[0], item, {}) for item in value]
        if "min_length" in rules and len(value) < rules["min_length"]:
            raise ValueError("too short")
        if "max_length" in rules and len(value) > rules["max_length"]:
            raise ValueError("too long")
        if "ge" in rules and not value >= rules["ge"]:
            raise ValueError("ge")
        if "le" in rules and not value <= rules["le"]:
            raise ValueError("le")
        return value

    class BaseModel:
        def __init_subclass__(cls):
            cls._kinds = None
            cls._after = [f for f in vars(cls).values() if getattr(f, "_after", False)]

        def __init__(self, **given):
            cls = type(self)
            if cls._kinds is None:
                cls._kinds = typing.get_type_hints(cls)
            for name, kind in cls._kinds.items():
                spec = getattr(cls, name, None)
                spec = spec if isinstance(spec, Spec) else Spec()
                if name in given:
                    value = check(kind, given[name], spec.rules)
                elif "default_factory" in spec.rules:
                    value = spec.rules["default_factory"]()
                elif spec.default is missing:
                    raise ValueError("missing " + name)
                else:
                    value = spec.default
                setattr(self, name, value)
            for after in cls._after:
                after(self)

        @classmethod
        def model_validate(cls, data):
            if cls._kinds is None:
                cls._kinds = typing.get_type_hints(cls)
            return cls(**{k: v for k, v in data.items() if k in cls._kinds})

    def field_validator(*_names):
        return lambda function: function

    def model_validator(mode):
        def mark(function):
            function._after = True
            return function

        return mark

    module = types.ModuleType("pydantic")
    module.BaseModel, module.Field = BaseModel, field
    module.field_validator, module.model_validator = field_validator, model_validator
    return module


def load(spec):
    """Writes the code blocks of the tasks to a package of their own and imports them."""
    text = pathlib.Path(spec).read_text(encoding="utf-8")
    root = pathlib.Path(tempfile.mkdtemp())
    places = {"T002": "models/signals.py", "T003": "models/query_classification.py",
              "T006": "services/signal_parser.py", "T008": "services/query_classifier.py"}
    for task, place in places.items():
        section = text.split("### " + task, 1)[1].split("\n### ", 1)[0]
        code = section.split("```python\n", 1)[1].split("\n```\n", 1)[0]
        target = root / "document" / place
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(code, encoding="utf-8")
    sys.path.insert(0, str(root))
    import importlib
    return [importlib.import_module("document.services." + name) for name in ("signal_parser", "query_classifier")]


def plain(value):
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, int):
        if abs(value) <= 2 ** 53 - 1:
            return value
        sys.set_int_max_str_digits(0)
        digits = str(abs(value))
        return {"$int": "huge" if len(digits) > 4000 else str(value)}
    if isinstance(value, float):
        if value != value:
            return {"$float": "nan"}
        return {"$float": "inf" if value > 0 else "-inf"} if value in (float("inf"), float("-inf")) else value
    if isinstance(value, list):
        return [plain(item) for item in value]
    return {key: plain(item) for key, item in value.items()}


def best(function, items, repeat):
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        for item in items:
            function(item)
        times.append((time.perf_counter() - start) * 1000)
    return min(times)


def main():
    request = json.loads(sys.stdin.buffer.read())
    kind = "installed"
    try:
        import pydantic  # noqa: F401
    except ImportError:
        kind = "stand-in"
        sys.modules["pydantic"] = stand_in()
    import logging
    logging.disable(logging.CRITICAL)
    parser, classifier = load(request["spec"])
    cases = []
    for case in request["cases"]:
        if "responses" in case:
            answers = []
            for response in case["responses"]:
                signal, stripped = parser.parse_and_strip(response)
                answers.append([None if signal is None else {
                    "type": signal.type.value, "confidence": signal.confidence,
                    "fields": plain(signal.fields), "raw_xml": signal.raw_xml}, stripped])
            ms = best(parser.parse_and_strip, case["responses"], case["repeat"])
        else:
            def classify(item):
                return classifier.classify_query(item["query"], conversation_context=item["context"])
            answers = [[a.query_type.value, a.confidence, sorted(a.keywords_matched)]
                       for a in map(classify, case["queries"])]
            ms = best(classify, case["queries"], case["repeat"])
        cases.append({"name": case["name"], "ms": ms, "answers": answers})
    version = "%d.%d.%d" % sys.version_info[:3]
    sys.stdout.write(json.dumps({"pydantic": kind, "python": version, "cases": cases}))


main()
