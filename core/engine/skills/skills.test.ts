import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { casesOf } from '../../../fixtures/cases.ts'
import { REPOSITORY, valueOf } from '../../../fixtures/host.ts'
import { readJsonTree, valueOfNode } from '../../host/workspace/domains/json-tree.ts'
import { compileDomains } from '../matcher/domains.ts'
import { namedPaths } from '../matcher/paths.ts'
import { createPipeline, initialBeliefState, stepTurn } from '../pipeline.ts'
import { Preset } from '../schema/preset.ts'
import { SkillRulesFile } from '../schema/skill-rules.ts'
import { traceTurn } from '../trace.ts'
import { NO_SKILL } from './options.ts'
import { translateSkills } from './translate.ts'
import { parse } from 'yaml'

const read = (name: string) => readFileSync(join(REPOSITORY, name), 'utf8')
function rulesAt(name: string): SkillRulesFile {
  const { node } = readJsonTree(read(name))
  if (node === null) throw new Error(name)
  return SkillRulesFile.parse(valueOfNode(node))
}

const RULES = rulesAt('fixtures/skills/.claude/skills/skill-rules.json')
const SCORED = rulesAt('fixtures/skills/scored.json')
const presetNamed = (name: string) => Preset.parse(parse(read(`profiles/presets/${name}.yaml`)))

function pipelineOf(rules: SkillRulesFile, preset = 'recommended') {
  const options = presetNamed(preset)
  const { asciiBoundaries } = options.belief
  const set = valueOf(compileDomains(translateSkills(rules).file, { asciiBoundaries }))
  return valueOf(createPipeline(set, options, null))
}

const outcomeOf = (text: string, rules = RULES) =>
  stepTurn(pipelineOf(rules), initialBeliefState, text)
const firedBy = (text: string, rules = RULES) =>
  outcomeOf(text, rules).scored.ranked.map(({ domain }) => domain)

/** The first published hook, rewritten in a few lines: matched skills, grouped by priority. */
function hook(text: string): readonly string[] {
  const prompt = text.toLowerCase()
  const matched = Object.entries(RULES.skills).filter(([, { promptTriggers }]) => {
    const texts = (promptTriggers?.keywords ?? []) as readonly string[]
    const patterns = (promptTriggers?.intentPatterns ?? []) as readonly string[]
    return (
      texts.some((keyword) => prompt.includes(keyword.toLowerCase())) ||
      patterns.some((pattern) => new RegExp(pattern, 'i').test(prompt))
    )
  })
  return ['critical', 'high', 'medium', 'low'].flatMap((group) =>
    matched.filter(([, { priority }]) => priority === group).map(([name]) => name),
  )
}

describe('the first published form', () => {
  test('[K11] a keyword stands anywhere in the text, without regard to case, and means no pattern', () => {
    expect(firedBy('a fast APIary')).toEqual(['api-guidelines'])
    expect(firedBy('wrap it in T(…)')).toEqual(['api-guidelines'])
    expect(firedBy('wrap it in t')).toEqual([])
    expect(firedBy('İtest')).toEqual(['testing'])
    expect(firedBy('teſt')).toEqual([])
  })

  test('[K11] an intent pattern is one of JavaScript with flag i', () => {
    expect(firedBy('IMPLEMENT the payment Service')).toEqual(['api-guidelines'])
    expect(firedBy('implement\nthe service')).toEqual([])
  })

  test('[K12] critical, high, medium, low; then the order of the file; never the number of matches', () => {
    const text =
      'add an endpoint of the API, test it with vitest, mind the password, see the README'
    expect(firedBy(text)).toEqual(['secrets', 'api-guidelines', 'testing', 'docs'])
    const { primary, secondary, signature } = outcomeOf(text)
    expect([primary.domain, secondary?.domain]).toEqual(['secrets', 'api-guidelines'])
    expect(signature).toBe('api-guidelines+docs+secrets+testing')
  })

  test('[K12] where nothing fires the answer is that no skill does', () => {
    expect(outcomeOf('good morning').primary).toMatchObject({ domain: NO_SKILL, confidence: 0 })
  })

  test.each(['literal', 'recommended'])(
    '[K13] nothing is carried over, under %s either',
    (preset) => {
      const pipeline = pipelineOf(RULES, preset)
      let state = initialBeliefState
      for (let turn = 0; turn < 8; turn += 1) state = stepTurn(pipeline, state, 'test it').state
      const outcome = stepTurn(pipeline, state, 'update the readme')
      expect([outcome.primary.domain, outcome.secondary]).toEqual(['docs', null])
      expect(stepTurn(pipeline, outcome.state, 'thanks').primary.domain).toBe(NO_SKILL)
      expect(pipeline.preset.belief).toMatchObject({
        maxChars: null,
        classify: { user: true, agent: false, tool: false },
      })
    },
  )

  test('[K16] a file trigger is shown where the message names the file, and fires nothing', () => {
    const text = 'look at `src/api/v2/users.ts`'
    expect(firedBy('look at src/app/users.ts')).toEqual([])
    const trace = traceTurn(pipelineOf(RULES), {
      seq: 0,
      kind: 'user',
      text,
      turn: 0,
      state: initialBeliefState,
    })
    const [domain] = trace.domains
    // "api" is in the path, so the keyword fires; the glob has weight 0.
    expect(domain).toMatchObject({ matched: 1, score: 1 })
    const glob = domain?.signals.find(({ dialect }) => dialect === 'glob')
    expect(glob).toMatchObject({ fired: true, weight: 0 })
    const [from, to] = glob?.spans[0] ?? [0, 0]
    expect(text.slice(from, to)).toBe('src/api/v2/users.ts')
  })

  test('[K10] every message is answered as the published hook answers it', () => {
    const word = fc.constantFrom(
      'add',
      'an',
      'Endpoint',
      'api',
      'TEST',
      'spec',
      'write',
      'fix',
      'status',
      'code',
      't(',
      'password',
      'Readme',
      '\n',
      'service',
      'İ',
      'implement',
      'route',
      '-',
      'vitest',
    )
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), fc.boolean(), (words, spaced) => {
        const text = words.join(spaced ? ' ' : '')
        expect(firedBy(text)).toEqual(hook(text))
      }),
      casesOf('skills: message'),
    )
  })
})

describe('the second published form', () => {
  const scoresOf = (text: string) =>
    Object.fromEntries(
      outcomeOf(text, SCORED).scored.scores.map(({ domain, score }) => [domain, score]),
    )

  test('[K14] weights add up; of intent and content patterns one counts', () => {
    expect(scoresOf('a form')).toEqual({ forms: 2 })
    expect(scoresOf('add a form and submit it: form, submit')).toEqual({ forms: 6 })
    expect(scoresOf('add a form with validation in src/LoginForm.tsx: useForm(')).toEqual({
      forms: 2 + 3 + 4 + 4 + 3,
    })
    expect(scoresOf('the reducer of the store')).toEqual({ state: 4 })
    expect(scoresOf('see src/state/cart.ts')).toEqual({ state: 5 })
  })

  test('[K15] below the least score nothing fires; a skill may have its own', () => {
    expect(firedBy('a form', SCORED)).toEqual([])
    expect(firedBy('a route', SCORED)).toEqual(['routes'])
    const trace = traceTurn(pipelineOf(SCORED), {
      seq: 0,
      kind: 'user',
      text: 'a form',
      turn: 0,
      state: initialBeliefState,
    })
    expect(trace.domains[0]).toMatchObject({ excluded: 'min_score', score: 2 })
    const why = trace.whyNot.find(({ domain }) => domain === 'forms')
    expect(why).toMatchObject({ reason: 'It scored 2 and needs 3 (K15).', signalsNeeded: 1 })
  })

  test('[K15] an exclusion takes the skill out, however much else matched', () => {
    expect(firedBy('add a form and validate it', SCORED)).toEqual(['forms'])
    expect(firedBy('add a form for the platform and validate it', SCORED)).toEqual([])
    const why = traceTurn(pipelineOf(SCORED), {
      seq: 0,
      kind: 'user',
      text: 'add a form, format it',
      turn: 0,
      state: initialBeliefState,
    }).whyNot.find(({ domain }) => domain === 'forms')
    expect(why).toMatchObject({
      reason: 'A pattern that excludes it matched (K15).',
      signalsNeeded: null,
    })
  })

  test('[K12] scored: the larger sum first, then the larger priority, then the order of the file', () => {
    expect(firedBy('the slice of the store, and add a form', SCORED)).toEqual(['forms', 'state'])
    expect(firedBy('the store, a slice, a route', SCORED)).toEqual(['state', 'routes'])
  })
})

test('[K16] paths that a message names', () => {
  const text = 'fix "lib/a-b" and src/x/y and ./conf.yaml, not a/b'
  expect(namedPaths(text).map(({ path }) => path)).toEqual(['./conf.yaml', 'src/x/y', 'lib/a-b'])
  for (const { path, at } of namedPaths(text)) expect(text.slice(at, at + path.length)).toBe(path)
})
