import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { draftOf, EXAMPLE, requestOf } from './draft.ts'
import { readJson } from './read-json.ts'
import { nearestTo } from '../../ui/sorted.ts'
import { closeJson, stepSummary } from './step-summary.ts'
import { limitsThatFit, tokenStops, withLimit } from './tier-words.ts'
import { branchesAbove, nodeOfPart, partOfNode, treeNodes } from './tree-nodes.ts'

describe('JSON of a form', () => {
  const place = (text: string) => {
    const read = readJson(text)
    return read.ok ? null : `${read.problem.what} ${read.problem.line}:${read.problem.column}`
  }
  test('a fault is told with its line and column, in words that no engine changes', () => {
    expect(place('{\n  "a": 1\n  "b": 2\n}')).toBe('“"” cannot stand here 3:3')
    expect(place('{"a": tru}')).toBe('“t” cannot stand here 1:7')
    expect(place('{"a": 01}')).toBe('“1” cannot stand here 1:8')
    expect(place('[1, 2,]')).toBe('“]” cannot stand here 1:7')
    expect(place('{"a": "b\n"}')).toBe('The line ends too early 1:9')
    expect(place('{"a": [1, 2')).toBe('The text ends too early 1:12')
    expect(place('{} {}')).toBe('“{” cannot stand here 1:4')
    expect(place('{a: 1}')).toBe('“a” cannot stand here 1:2')
    expect(place(' \n')).toContain('There is nothing here')
  })

  test('what JSON.parse reads is read, whatever it is', () =>
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(readJson(text)).toEqual({ ok: true, value: JSON.parse(text) as unknown })
      }),
    ))

  test('the fault of a beginning is its end: nothing before it is blamed', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), fc.nat(), (text, cut) => {
        const begun = text.slice(0, cut % Math.max(1, text.length))
        const read = readJson(begun)
        // A word or a number that is cut is blamed at its first letter.
        const least = begun.replace(/(?:[a-z]+|-|\\u?[0-9a-f]*|[\d.eE+-]+)$/u, '').length
        if (!read.ok) expect(read.problem.column - 1).toBeGreaterThanOrEqual(least)
      }),
    )
  })
})

describe('a form', () => {
  test('becomes a request; what cannot be used is named by its field', () => {
    const checked = requestOf({ ...EXAMPLE, step: 13, run: ' r1 ' }, 'recommended')
    expect(checked).toMatchObject({
      ok: true,
      request: {
        record: { step_id: 13, is_chapter_13: true, run_id: 'r1', files: {} },
        choice: { preset: 'recommended', root: null },
      },
    })
    expect(requestOf({ ...EXAMPLE, results: '{' }, 'x')).toMatchObject({ field: 'results' })
    const file = { role: 'manifest', path: 'm.json', text: '{}' } as const
    const two = [file, { ...file, path: 'n.json' }]
    expect(requestOf({ ...EXAMPLE, files: two }, 'x')).toMatchObject({ ok: false, field: 'files' })
  })

  test('takes the record of a step and gives it back', () => {
    const record = {
      step_id: 5,
      results: { test_r2: 0.3 },
      manifest_path: 'm.json',
      state_paths: ['s.json'],
      files: { 'm.json': '{}', 's.json': '[]', 'run_history.jsonl': '' },
    }
    const draft = draftOf(JSON.stringify(record))!
    expect(draft.files.map(({ role }) => role)).toEqual(['manifest', 'state', 'other'])
    expect(requestOf(draft, 'x')).toMatchObject({ request: { record } })
    expect(draftOf('{"step_id": 9}')).toBeNull()
    const inFolder = draftOf('{"step_id": 1, "root": "runs/a", "manifest_path": "m.json"}')!
    expect(requestOf(inFolder, 'x')).toMatchObject({
      request: { record: { root: 'runs/a', manifest_path: 'm.json' }, choice: { root: null } },
    })
    expect(requestOf({ ...inFolder, root: '/data/a' }, 'x')).toMatchObject({
      request: { record: { root: null }, choice: { root: '/data/a' } },
    })
  })
})

describe('a row of the list', () => {
  const record = {
    step_id: 3,
    results: { success: true, confidence: 0.9, extra: 'x', rate: 0.5, list: [1, 2] },
  }
  test('says success and metrics, key metrics first', () => {
    expect(stepSummary(JSON.stringify(record), ['rate'])).toMatchObject({
      success: true,
      metrics: ['rate 0.5', 'extra x'],
      more: 0,
      empty: false,
    })
    expect(stepSummary('{"step_id": 3, "results": {}}', [])).toMatchObject({ empty: true })
    expect(stepSummary('no JSON', [])).toMatchObject({ success: null, empty: true })
  })

  test('any beginning of a record is read as far as it is whole', () => {
    const text = JSON.stringify(record)
    fc.assert(
      fc.property(fc.nat(text.length), (end) => {
        const closed = closeJson(text.slice(0, end))
        if (closed !== null) expect(() => JSON.parse(closed) as unknown).not.toThrow()
      }),
    )
    expect(closeJson('{"a":{"b":1,"c":"x')).toBe('{"a":{"b":1}}')
    const cut = '{"results":{"success":false,"interpretation":"too\\nlong, and'
    expect(stepSummary(cut, [])).toMatchObject({ success: false, told: 'too long, and' })
  })
})

describe('limits', () => {
  test('sliders stop at rising values from 0 to their end, and find the nearest', () => {
    const stops = tokenStops(131_072)
    expect(stops[0]).toBe(0)
    expect(stops.at(-1)).toBeGreaterThanOrEqual(131_072)
    expect(stops.every((stop, at) => at === 0 || stop > (stops[at - 1] ?? 0))).toBe(true)
    expect(stops[nearestTo(stops, 3000)]).toBe(2944)
  })

  test('[A9] what fits raises only the limits that are too low', () => {
    const tier = { droppedCount: 0, dropped: [], truncated: null, why: '', used: 1, whole: 1 }
    const report = {
      context: 1000,
      fitsAtContext: 1500,
      tiers: [
        { ...tier, tier: 'tier1', limitKind: 'cap', limit: 10, fitsAtCap: 30 },
        { ...tier, tier: 'history', limitKind: 'cap', limit: 10, fitsAtCap: 5 },
      ],
    } as unknown as Parameters<typeof limitsThatFit>[0] // the rest is not read
    expect(limitsThatFit(report, {})).toEqual({ tier1_cap: 30, ctx_max_tokens: 1500 })
    expect(withLimit({ tier1_cap: 3 }, 'tier1_cap', undefined)).toEqual({})
  })
})

describe('the tree of a bundle', () => {
  const bundle = { step_name: 'x', context: { inputs_summary: { 'a.b/c': 1, d: [1, 2] } } }
  const part = (id: string) => ({ id, tier: 'tier1', source: '', span: [0, 1] }) as const
  test('shows what is open; names with a slash stay one name', () => {
    const nodes = treeNodes(bundle, new Set(['context', 'context/inputs_summary']))
    expect(nodes.map(({ id, depth }) => [id, depth])).toEqual([
      ['step_name', 1],
      ['context', 1],
      ['context/inputs_summary', 2],
      ['context/inputs_summary/a.b~1c', 3],
      ['context/inputs_summary/d', 3],
    ])
  })

  test('[A9] a part of the prompt and its line of the tree find each other', () => {
    const parts = [part('inputs.heading'), part('inputs.a.b/c'), part('inputs.d')]
    const node = nodeOfPart(part('inputs.a.b/c'))!
    expect(node).toBe('context/inputs_summary/a.b~1c')
    expect(partOfNode(parts, node)).toBe(1)
    expect(partOfNode(parts, 'context/inputs_summary/d/1')).toBe(2)
    expect(partOfNode(parts, 'context/inputs_summary')).toBe(0)
    expect(partOfNode(parts, 'budgets')).toBe(-1)
    expect(nodeOfPart(part('marker'))).toBeNull()
    expect(branchesAbove(node)).toEqual(['context', 'context/inputs_summary'])
  })
})
