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

/** Outside of the subset: refused, or answered otherwise. Nothing else may differ. */
const OUTSIDE: readonly string[] = ['{{ nums | map("string") | join("-") }}']

test(`[L13] ${probes.length} probes: answered as Jinja2 does, or listed here`, () => {
  const other = probes.filter(({ template, answer }) => {
    const rendered = renderTemplate(template, context, 'probe')
    return (rendered.ok ? rendered.value.text : undefined) !== answer
  })
  expect(other.map(({ template }) => template)).toEqual(OUTSIDE)
})
