import { expect, test } from 'vitest'
import { exactContext } from './template-context.ts'
import { renderTemplate } from './template.ts'

const rendered = (source: string, context: Readonly<Record<string, unknown>> = {}) => {
  const result = renderTemplate(source, context, 'a.md')
  return result.ok ? result.value.text : `refused: ${result.error.what}`
}
const exact = (source: string, json: string) =>
  rendered(source, exactContext(`{"context": ${json}}`, 'context') ?? {})

const HUGE = '[[1] * 100000] * 100000'
test.each([
  `{{ ${HUGE} }}`,
  `{% set x = ${HUGE} %}{{ x | string | length }}`,
  `{% set x = ${HUGE} %}{{ x == x + [] }}`,
  `{% set x = ${HUGE} %}{{ x | tojson }}`,
  `{% set x = ${HUGE} %}{{ x ~ 'a' }}`,
  `{% set x = ${HUGE} %}{{ '%s' % x }}`,
  `{% set x = ${HUGE} %}{% for i in range(1000) %}{{ x | length }}{% endfor %}`,
  `{% set x = 'a' * 1000000 %}{% for i in range(100000) %}{{ x.upper() | length }}{% endfor %}`,
])('[F214] a template that would build more than any memory is stopped: %s', (source) => {
  expect(rendered(source)).toMatch(/^refused: .*(?:too much|too long)/u)
})

test.each([
  ['{% for k in x %}{{k}},{% endfor %}', '{"x": {"b": 1, "10": 2, "2": 3}}', 'b,10,2,'],
  ['{{ x.0 }}', '{"x": ["q"]}', 'q'],
  ['{{ x.0.1 }}', '{"x": [[1, 2]]}', '2'],
  ['{{ x | trim }}|{{ x.strip() }}|', '{"x": "\\u00a0 a \\ufeff"}', 'a \ufeff|a \ufeff|'],
  ['{{ x }} {{ y }} {{ z }}', '{"x": 1.0, "y": 1e20, "z": [2.0, 3]}', '1.0 1e+20 [2.0, 3]'],
])('[F215] %s over %s is what Jinja2 writes', (source, json, text) => {
  expect(exact(source, json)).toBe(text)
})

test.each([
  ['{{ x }}', '{"x": 123456789012345678}', 'beyond whole numbers'],
  ['{{ x == y }}', '{"x": 123456789012345678, "y": 123456789012345679}', 'beyond whole numbers'],
  ['{{ x | tojson }}', '{"x": [123456789012345678]}', 'beyond whole numbers'],
  ['{{ 4 is divisibleby(2) }}', '{}', 'the test "divisibleby" with an argument'],
  ['{{ 4 is not divisibleby 2 }}', '{}', 'the test "divisibleby" with an argument'],
])('[F215] %s over %s is refused by name', (source, json, words) => {
  expect(exact(source, json)).toContain(words)
})
