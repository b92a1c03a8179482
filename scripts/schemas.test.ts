import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { parse } from 'yaml'
import { describe, expect, it } from 'vitest'
import { SCHEMA_FILES, type SchemaName } from '../core/host/workspace/schema-files.ts'
import { BAD_FILES } from '../fixtures/schemas/bad-files.ts'
import { mutantsOf } from '../fixtures/schemas/mutants.ts'
import { annotate } from './schemas/annotate.ts'
import { DESCRIBED } from './schemas/table.ts'
import { describedSchema, schemaText } from './schemas.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const filesOf = (folder: string, ending: RegExp) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => ending.test(name))
    .map((name) => `${folder}/${name}`)

/** Shipped files, and fixtures of the kinds that nothing ships of, by their schema. */
const SHIPPED: Readonly<Partial<Record<SchemaName, readonly string[]>>> = {
  domains: [
    'profiles/domains/default.yaml',
    'fixtures/lab/domains.yaml',
    'fixtures/schemas/every-field.domains.yaml',
  ],
  preset: filesOf('profiles/presets', /\.yaml$/u),
  'model-profile': filesOf('profiles/models', /\.json$/u),
  'format-map': ['fixtures/own-format/shop-bot.yaml'],
  label: [
    'fixtures/lab/session.labels.jsonl',
    'fixtures/lab/cases.jsonl',
    'fixtures/sessions/lock-in.labels.jsonl',
    'fixtures/sessions/st-003.labels.jsonl',
    'fixtures/skills/shop.labels.jsonl',
    'fixtures/schemas/every.labels.jsonl',
  ],
  collections: ['profiles/collections.yaml', 'fixtures/schemas/collections.yaml'],
  persona: filesOf('profiles/personas', /\.json$/u),
  'probe-query': ['fixtures/collections/queries.held.jsonl'],
  'coach-rules': ['prompts/coach/rules.yaml'],
  'step-data': filesOf('prompts/steps', /^\d.*\.yaml$/u),
  contracts: ['prompts/steps/contracts.yaml'],
  tour: [...filesOf('tours', /\.yaml$/u), 'fixtures/schemas/every-field.tour.yaml'],
  'skill-rules': ['fixtures/skills/.claude/skills/skill-rules.json'],
  'settings-view': ['fixtures/schemas/view.json'],
  'settings-coach': ['fixtures/schemas/coach.json'],
  'settings-probe': ['fixtures/schemas/probe.json'],
  policy: ['fixtures/schemas/policy.json'],
  'agent-manifest': ['fixtures/schemas/agent.json'],
  'session-header': ['fixtures/schemas/header.jsonl'],
  'session-event': ['fixtures/schemas/events.jsonl'],
}
const BY_HAND = SCHEMA_FILES.filter(({ byHand }) => byHand)

/** The values of a file: one value, or one per line. */
function valuesIn(path: string): readonly unknown[] {
  const text = textOf(path)
  if (!path.endsWith('.jsonl')) return [parse(text)]
  return text
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line): unknown => JSON.parse(line))
}

const validators = new Map<SchemaName, ValidateFunction>()
/** The schema that ships, read by a validator that is not ours. */
function validatorOf(name: SchemaName): ValidateFunction {
  const known = validators.get(name)
  if (known !== undefined) return known
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  ajv.addFormat('uri', (text: string) => URL.canParse(text))
  ajv.addFormat('date-time', true)
  const schema = JSON.parse(textOf(`schemas/${name}.schema.json`)) as object
  const made = ajv.compile(schema)
  validators.set(name, made)
  return made
}
const loads = (name: SchemaName, value: unknown) => DESCRIBED[name].schema.safeParse(value).success

it.each(SCHEMA_FILES)(
  '[F185] schemas/$name.schema.json is what the zod schema and the words say',
  ({ name, title, byHand }) => {
    expect(textOf(`schemas/${name}.schema.json`)).toBe(schemaText(name, title, byHand))
  },
)

it('[F185] nothing else lies in schemas/', () => {
  const names = filesOf('schemas', /./u).map((path) => path.slice('schemas/'.length))
  expect(names.toSorted()).toEqual(SCHEMA_FILES.map(({ name }) => `${name}.schema.json`).toSorted())
})

describe('[F185] every field that a person writes is described', () => {
  it.each(BY_HAND)('$name', ({ name }) => {
    const { missing, unused } = describedSchema(name)
    expect({ missing, unused }).toEqual({ missing: [], unused: [] })
  })

  it.each(BY_HAND)('$name: in sentences', ({ name }) => {
    const said = describedSchema(name)
    const texts = [...JSON.stringify(said.schema).matchAll(/"description":("(?:[^"\\]|\\.)*")/gu)]
    expect(texts.length).toBeGreaterThan(0)
    for (const [, json = '""'] of texts) {
      const text = JSON.parse(json) as string
      expect(text).toMatch(/^["`A-Z$][^\u2014]*$/u)
      expect(text.length).toBeLessThan(500)
    }
  })

  it('says what is missing, and which words nothing has', () => {
    const properties = { a: { type: 'string' }, b: { enum: ['x', 'y'] } }
    const made = annotate(
      { type: 'object', properties },
      { b: { text: 'B.', values: { x: 'X.' } }, c: 'C.' },
    )
    expect(made.missing).toEqual(['', 'a', 'b = y'])
    expect(made.unused).toEqual(['c'])
  })
})

const FILES = Object.entries(SHIPPED).flatMap(([name, paths]) => {
  return paths.map((path) => [name as SchemaName, path] as const)
})

describe('[F186] a shipped file is valid by its schema, and by its door', () => {
  it.each(FILES)('%s: %s', (name, path) => {
    const validate = validatorOf(name)
    const values = valuesIn(path)
    expect(values.length).toBeGreaterThan(0)
    for (const value of values) {
      expect(validate(value), JSON.stringify(validate.errors)).toBe(true)
      expect(loads(name, value)).toBe(true)
    }
  })
})

describe('[F186] schema and door refuse the same files', () => {
  it.each(BAD_FILES)('$name: $why', ({ name, value }) => {
    expect({ schema: validatorOf(name)(value), door: loads(name, value) }).toEqual({
      schema: false,
      door: false,
    })
  })

  it('there are at least forty of them', () => {
    expect(BAD_FILES.length).toBeGreaterThanOrEqual(40)
  })

  it.each(FILES)('%s: every field of %s, changed in every way', (name, path) => {
    const validate = validatorOf(name)
    const differ: string[] = []
    let refused = 0
    for (const value of valuesIn(path)) {
      for (const { what, mutant } of mutantsOf(value)) {
        const door = loads(name, mutant)
        if (!door) refused += 1
        if (validate(mutant) !== door) differ.push(`${what}: the door says ${String(door)}`)
      }
    }
    expect(differ).toEqual([])
    expect(refused).toBeGreaterThan(0)
  })
})
