import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { CONFIG, makeFolder, openIn, REPOSITORY, windowOf } from '../../fixtures/host.ts'
import { makeHostHere } from '../../fixtures/host-here.ts'
import { type McpClient, connectMcp } from '../../fixtures/mcp/client.ts'
import { realFiles, realPath } from '../../fixtures/real-files.ts'
import { runHere } from '../../fixtures/run-here.ts'
import { someCases } from '../../fixtures/cases.ts'
import { openWorkspace, replay } from '../api/node.ts'
import {
  TURN_FIELDS,
  TURN_SURFACES,
  type TurnField,
  type TurnSurface,
  type TurnSurfaceName,
  pathOf,
} from '../engine/rows/turn-surfaces.ts'

type Answer = Readonly<Record<string, unknown>>
const FIELDS = Object.keys(TURN_FIELDS) as TurnField[] // the table has no other keys
const SURFACES: ReadonlyArray<[TurnSurfaceName, TurnSurface]> = Object.entries(TURN_SURFACES).map(
  ([name, surface]) => [name as TurnSurfaceName, surface], // the table has no other keys
)

const jsonLines = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Answer)

/** The value at a path; undefined if there is none. */
function valueAt(answer: unknown, path: string): unknown {
  let at = answer
  for (const name of path.split('.')) {
    // Names of spans have dots in them.
    if (typeof at === 'object' && at !== null && Object.hasOwn(at, path))
      return (at as Answer)[path]
    if (typeof at !== 'object' || at === null) return undefined
    at = (at as Answer)[name]
  }
  return at
}

/** Signals of a trace that fired, as rows name them. */
function firedOf(domains: unknown): unknown {
  const all = domains as ReadonlyArray<{
    readonly domain: string
    readonly signals: ReadonlyArray<{ id: string | null; index: number; fired: boolean }>
  }>
  return all.flatMap(({ domain, signals }) =>
    signals
      .filter(({ fired }) => fired)
      .map(({ id, index }) => `${domain}/${id ?? String(index + 1)}`),
  )
}

const listOf = (value: unknown) =>
  typeof value === 'string' ? value.split(' or ') : (value as readonly string[] | null)

/** Values as they are compared: what a kind of surface cannot write is made equal (an empty cell, a time as text). */
const PLAIN: Readonly<Partial<Record<TurnField, (value: unknown) => unknown>>> = {
  turn: (value) => Number(/\d+$/u.exec(String(value))?.[0]),
  at: (value) => (typeof value === 'string' ? Date.parse(value) : value),
  ambiguous: (value) => listOf(value)?.toSorted() ?? [],
  fired: (value) => (value as readonly string[]).toSorted(),
}
function plain(field: TurnField, value: unknown): string {
  const read = value === '' && field !== 'text' && field !== 'enrichment' ? null : value
  const own = PLAIN[field]?.(read) ?? read ?? null
  return typeof own === 'number' ? String(own) : typeof own === 'string' ? own : JSON.stringify(own)
}

/** A line of CSV: cells with commas and quotes are quoted. */
function cellsOf(line: string): readonly string[] {
  const cells = line.matchAll(/(?:^|,)(?:"(?<quoted>(?:[^"]|"")*)"|(?<bare>[^",]*))/gu)
  return [...cells].map(
    ({ groups }) => groups?.['quoted']?.replaceAll('""', '"') ?? groups?.['bare'] ?? '',
  )
}

interface Asked {
  readonly file: string
  readonly preset: string
}

const WORKSPACE = openWorkspace()
const host = makeHostHere({ workers: 1 })
const client = windowOf(host)
let mcp: McpClient
beforeAll(async () => {
  mcp = await connectMcp(['--allow', join(REPOSITORY, 'fixtures')])
}, 60_000)
afterAll(async () => {
  await mcp.close()
  await host.close()
})

/** Rows as `pipe` and `batch` read them: what a replay says of each turn. */
async function rowsOf(asked: Asked) {
  const traces = await ANSWERS.replay(asked)
  return traces.map(({ turn, kind, text }) => ({ session: 's', turn, kind, message: text }))
}

/** Surfaces that are asked turn by turn, and how many turns they are asked for, spread over the session. */
const BY_TURN: ReadonlySet<TurnSurfaceName> = new Set(['explain', 'window', 'mcp'])
const MOST = 6
async function someTurns(asked: Asked): Promise<readonly number[]> {
  const all = (await ANSWERS.script(asked)).map(({ turn }) => Number(turn))
  const count = Math.min(all.length, MOST)
  return Array.from({ length: count }, (_, at) => all[Math.floor((at * all.length) / count)] ?? 1)
}

/** Asks each surface for all turns of the first session of a file. */
const ANSWERS: Readonly<Record<TurnSurfaceName, (asked: Asked) => Promise<readonly Answer[]>>> = {
  replay: async ({ file, preset }) => {
    const { out } = await runHere(['replay', file, '--json', '--preset', preset])
    const lines = jsonLines(out)
    return lines.filter(({ session }) => session === lines[0]?.['session'])
  },
  exportJsonl: async ({ file, preset }) => {
    const ran = await runHere(['export', file, '--jsonl', '-', '--no-redact', '--preset', preset])
    const lines = jsonLines(ran.out)
    return lines.filter(({ session }) => session === lines[0]?.['session'])
  },
  explain: async (asked) => {
    const { file, preset } = asked
    const answers: Answer[] = []
    for (const turn of await someTurns(asked)) {
      const ran = await runHere([
        'explain',
        `${file}#${String(turn)}`,
        '--json',
        '--preset',
        preset,
      ])
      answers.push(...jsonLines(ran.out).slice(0, 1))
    }
    return answers
  },
  window: async (asked) => {
    const { file, preset } = asked
    const { key } = await openIn(client, { kind: 'path', path: file })
    const config = { ...CONFIG, domains: 'default', preset }
    const answers: Answer[] = []
    for (const turn of await someTurns(asked)) {
      const trace = await client.call('session.trace', { key, session: 0, turn: turn - 1, config })
      answers.push({ ...trace, turn })
    }
    return answers
  },
  mcp: async (asked) => {
    const answers: Answer[] = []
    for (const turn of await someTurns(asked)) {
      const given = { turn: `${asked.file}#${String(turn)}`, preset: asked.preset }
      answers.push((await mcp.call('explain_turn', given)).data)
    }
    return answers
  },
  script: async ({ file, preset }) => {
    const { sessions } = await replay(WORKSPACE, file, { preset })
    return (sessions[0]?.turns ?? []).map((turn) => ({ ...turn }))
  },
  csv: async ({ file, preset }) => {
    const { out } = await runHere(['export', file, '--csv', '-', '--no-redact', '--preset', preset])
    const [head = '', ...lines] = out.split(/\r?\n/u).filter((line) => line !== '')
    const names = cellsOf(head)
    const rows = lines.map((line) => {
      const cells = cellsOf(line)
      return Object.fromEntries(names.map((name, at) => [name, cells[at]]))
    })
    return rows.filter((row) => row['session'] === rows[0]?.['session'])
  },
  spans: async ({ file, preset }) => {
    const { out } = await runHere([
      'export',
      file,
      '--otel',
      '-',
      '--no-redact',
      '--preset',
      preset,
    ])
    interface Span {
      readonly traceId: string
      readonly attributes: ReadonlyArray<{ readonly key: string; readonly value: Answer }>
    }
    const written = JSON.parse(out) as {
      readonly resourceSpans: ReadonlyArray<{
        readonly scopeSpans: ReadonlyArray<{ readonly spans: readonly Span[] }>
      }>
    }
    const spans = written.resourceSpans.flatMap(({ scopeSpans }) =>
      scopeSpans.flatMap((scope) => scope.spans),
    )
    return spans
      .filter(({ traceId }) => traceId === spans[0]?.traceId)
      .map(({ attributes }) =>
        Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]])),
      )
      .filter((attributes) => 'turnscope.turn' in attributes)
      .toSorted((a, b) => Number(a['turnscope.turn']) - Number(b['turnscope.turn']))
  },
  pipe: async (asked) => {
    const rows = await rowsOf(asked)
    const input = rows.map((row) => `${JSON.stringify(row)}\n`).join('')
    return jsonLines((await runHere(['pipe', '--preset', asked.preset], { input })).out)
  },
  batch: async (asked) => {
    const rows = (await rowsOf(asked)).map((row) => `${JSON.stringify(row)}\n`).join('')
    const folder = makeFolder({ 'rows.jsonl': rows })
    const out = join(folder, 'out')
    const args = ['batch', join(folder, 'rows.jsonl'), '--out', out, '--preset', asked.preset]
    expect((await runHere(args)).code).toBe(0)
    const query = 'SELECT * FROM turns ORDER BY turn'
    return jsonLines((await runHere(['sql', query, '--results', out, '--json'])).out)
  },
}

const SAMPLES = readdirSync(join(REPOSITORY, 'fixtures/sessions'))
  .filter((name) => /^[a-z-]*\d*\.jsonl$/u.test(name))
  .map((name) => join(REPOSITORY, 'fixtures/sessions', name))
/** Only small real files, because `explain` runs once per turn. */
const REAL = realFiles(null, 1)
  .filter(({ stats }) => (stats['user'] ?? 0) < 30)
  .map(realPath)
const PRESETS = ['recommended', 'literal', 'field']
const asked = (files: readonly string[]) =>
  files.flatMap((file) => PRESETS.map((preset): Asked => ({ file, preset })))
const CHOSEN = [
  ...someCases('surfaces: samples', asked(SAMPLES)),
  ...someCases('surfaces: real files', asked(REAL)),
]

it.each(CHOSEN)(
  '[F242] every surface says the same of every turn: $preset, $file',
  { timeout: 120_000 },
  async (one) => {
    const known = new Map<string, { readonly value: string; readonly by: string }>()
    const turns = (await ANSWERS.replay(one)).length
    for (const [surface, about] of SURFACES) {
      const answers = await ANSWERS[surface](one)
      const count = BY_TURN.has(surface) ? Math.min(turns, MOST) : turns
      expect(answers.length, surface).toBe(count)
      for (const answer of answers) {
        const turn = plain('turn', valueAt(answer, pathOf(about, 'turn') ?? 'turn'))
        for (const field of about.fields) {
          // The window's tabs and other surfaces do not probe.
          if (field === 'probe') continue
          const found = valueAt(answer, pathOf(about, field) ?? field)
          const isTrace = field === 'fired' && about.spelling === 'trace'
          const value = plain(field, isTrace ? firedOf(found) : found)
          const place = `turn ${turn}, ${field}`
          const first = known.get(place) ?? { value, by: surface }
          known.set(place, first)
          const whole = value.endsWith('…') ? first.value.slice(0, value.length - 1) : first.value
          const seen = value.endsWith('…') ? value.slice(0, -1) : value
          expect(`${place} by ${surface}: ${seen}`).toBe(`${place} by ${surface}: ${whole}`)
        }
      }
    }
  },
)

it('[F242] a surface has every field that the table lists for it, and none that it omits', async () => {
  const file = join(REPOSITORY, 'fixtures/sessions/claude-code-demo.jsonl')
  for (const [surface, about] of SURFACES) {
    const answers = await ANSWERS[surface]({ file, preset: 'recommended' })
    for (const field of FIELDS) {
      const isListed = about.fields.includes(field)
      const path = pathOf({ ...about, fields: FIELDS }, field) ?? field
      // Optional parts are null in some turns: one turn must have the first member.
      const [top = field] = about.spelling === 'span' ? [path] : path.split('.')
      const isThere = answers.some((answer) => Object.hasOwn(answer, top))
      if (isListed || about.spelling !== 'trace')
        expect(`${surface} ${field} ${isThere}`).toBe(`${surface} ${field} ${isListed}`)
      else
        expect(
          answers.every((answer) => valueAt(answer, path) === undefined),
          `${surface} ${field}`,
        ).toBe(true)
    }
  }
})

it('[F241] [F242] docs/surfaces.md has the table', () => {
  const page = readFileSync(join(REPOSITORY, 'docs/surfaces.md'), 'utf8')
  const cellsIn = (line: string) => line.split('|').map((cell) => cell.trim())
  const rows = page
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map(cellsIn)
  for (const field of FIELDS) {
    const row = rows.find(([, name]) => name === `\`${field}\``)
    expect(row?.slice(1, 3), field).toEqual([`\`${field}\``, TURN_FIELDS[field]])
    const marks = row?.slice(3, -1)
    expect(marks, field).toEqual(
      SURFACES.map(([, about]) => (about.fields.includes(field) ? '✓' : '')),
    )
  }
  for (const [, { title, omits }] of SURFACES) expect(page).toContain(`- ${title}: ${omits}`)
})
