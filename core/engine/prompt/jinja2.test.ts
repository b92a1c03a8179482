import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { renderTemplate } from './template.ts'

interface Probes {
  readonly context: Readonly<Record<string, unknown>>
  readonly probes: ReadonlyArray<{ readonly template: string; readonly answer?: string }>
}

/** Recorded by `scripts/jinja2-probes.py` from Jinja2 itself. */
const { context, probes } = JSON.parse(
  readFileSync(new URL('../../../fixtures/jinja2/probes.json', import.meta.url), 'utf8'),
) as Probes

/** Outside of the subset: each is refused in words. Nothing else may differ, and nothing silently. */
const OUTSIDE: readonly string[] = [
  '{{ text | wordwrap(10) }}',
  '{{ html | striptags }}',
  '{{ 1e3 }}',
  '{{ 1 < 2 < 3 }}',
  '{{ n is divisibleby(3) }}',
  '{{ n is eq 3 }}',
  '{{ n is sameas 3 }}',
  '{{ n is in nums }}',
  '{% set a | upper %}hi{% endset %}{{ a }}',
  '{{ "{} {}".format(1, 2) }}',
  '{{ "{0:.2f}".format(x) }}',
  '{{ [(1,), ()] }}',
  '{{ 1e20 }}',
  '{{ 1e-7 }}',
  '{{ 1e16 }}',
  '{{ 123456789012345678 }}',
  '{{ 1_000 }}',
  '{{ 0x1f }}',
  '{{ missing | striptags }}',
  '{{ map | xmlattr }}',
  '{{ 1024 | filesizeformat }}',
  '{{ map | pprint }}',
  '{{ name | attr("x") }}',
  '{{ "http://a.b" | urlize }}',
  '{{ lipsum is defined }}',
  '{{ cycler("a") is defined }}',
  '{{ joiner(",") is defined }}',
  '{% block a %}x{% endblock %}',
  '{% autoescape true %}x{% endautoescape %}',
  '{{ self }}',
  '{{ name.__class__ }}',
  '{{ nums.index(2) }}',
  '{{ nums.count(2) }}',
  '{{ text.title() }}',
  '{{ "x".center(5) }}',
  '{{ (1,) }}',
  '{{ () }}',
  '{{ 1, 2 }}',
  '{{ "" | replace("", "b") }}',
  '{{ "abc" | replace("", "-") }}',
  '{{ "0x1f" | int(0, 16) }}',
  '{{ nums | batch(0) | list }}',
  '{{ nums | batch("x") | list }}',
  '{{ "%e %o %X" | format(1.5, 8, 255) }}',
  '{{ "%#x" | format(255) }}',
  '{{ "%c" | format(65) }}',
  '{{ range(5)[1:3] }}',
  '{{ n.real }}',
  '{{ "aXbX".split("X", 1) }}',
  '{{ "aa".replace("a", "b", 1) }}',
  '{{ ("<" | safe) + "<" }}',
  '{{ 9007199254740993 }}',
  '{{ 2 ** 60 }}',
  '{{ 9007199254740991 + 1 }}',
  '{{ dict([("a", 1)]) }}',
  '{% set ns = namespace({"a": 1}) %}{{ ns.a }}',
]

function rendered(template: string): string | null {
  const result = renderTemplate(template, context, 'probe')
  return result.ok ? result.value.text : null
}

test('[L61] the recording is one: most probes have an answer of Jinja2', () => {
  const answered = probes.filter(({ answer }) => answer !== undefined)
  expect(answered.length).toBeGreaterThan(400)
})

test(`[L13] [L61] ${probes.length} probes: answered as Jinja2 does, or refused and listed here`, () => {
  const other = probes.filter(({ template, answer }) => rendered(template) !== (answer ?? null))
  expect(other.map(({ template }) => template)).toEqual(OUTSIDE)
  expect(other.map(({ template }) => rendered(template))).toEqual(other.map(() => null))
})

test.each([
  ['{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}', 'too much'],
  ['{% for a in range(99999) %}{{ "x" * 9999 }}{% endfor %}', 'too long'],
  ['{{ "x" * 99999999 }}', 'too long'],
  ['{{ range(0, 1, 0) | list }}', 'too long'],
  ['{{ name | wordwrap }}', 'the filter "wordwrap" is outside of the subset'],
])('[L61] %s ends with words', (template, words) => {
  const result = renderTemplate(template, context, 'probe')
  expect(result.ok ? '' : result.error.what).toContain(words)
})
