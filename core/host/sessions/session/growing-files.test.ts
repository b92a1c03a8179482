import {
  appendFileSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { CONFIG, REPOSITORY, makeFolder, makeSession } from '../../../../fixtures/host.ts'
import { openWorkspace } from '../../workspace/workspace.ts'
import { createSessionHandlers } from '../../entries/session-handlers.ts'
import { createPriority } from '../../platform/threads/priority.ts'

const { signal } = new AbortController()
const COMPARE = { ...CONFIG, preset: 'literal' }

/** A thread of the library that answers a request about one file. */
function makeThread(workspace = REPOSITORY) {
  const handlers = createSessionHandlers(openWorkspace(workspace, REPOSITORY), createPriority())
  return async (path: string) => {
    const asked = { paths: [path], config: CONFIG, compare: COMPARE }
    const { readings } = await handlers['library.read'](asked, { signal })
    return readings[0]
  }
}

const scan = makeThread()
/** Results of the same file without cached data. */
async function anew(path: string) {
  const name = basename(path)
  const copy = join(makeFolder({ [name]: readFileSync(path, 'utf8') }), name)
  const reading = await scan(copy)
  if (reading?.kind !== 'failed') return reading
  const where = reading.problem.where.replace(copy, path)
  return { ...reading, problem: { ...reading.problem, where } }
}

const path = (name: string) => join(makeFolder(), name)

const FIXTURES = [
  'claude-code/branches.jsonl',
  'claude-code/compaction-and-resume.jsonl',
  'claude-code/damaged.jsonl',
  'claude-code/sidechain-inline.jsonl',
  'codex/damaged.jsonl',
  'codex/turns-and-compaction.jsonl',
  'codex/wrapped.jsonl',
  'pi/session.jsonl',
]

const GROWING: ReadonlyArray<readonly [string, string]> = [
  ['our-own.jsonl', makeSession(40)],
  ['carriage-returns.jsonl', makeSession(12).replaceAll('\n', '\r\n')],
  ...FIXTURES.map(
    (name) => [name, readFileSync(join(REPOSITORY, 'fixtures/import', name), 'utf8')] as const,
  ),
]

test.each(GROWING)(
  '[I148] %s that grows in pieces shows what reading it anew shows',
  async (name, text) => {
    const at = path(basename(name))
    writeFileSync(at, '')
    const step = Math.max(37, Math.ceil(text.length / 11))
    for (let from = 0; from < text.length; from += step) {
      // Pieces end within lines, so that torn lines are completed later.
      appendFileSync(at, text.slice(from, from + step))
      expect(await scan(at)).toEqual(await anew(at))
    }
  },
)

test('[I148] of a file that grew only what came is parsed', async () => {
  const at = path('a.jsonl')
  writeFileSync(at, makeSession(600))
  expect(await scan(at)).toMatchObject({ kind: 'read', events: 600, kept: true })
  appendFileSync(at, `${JSON.stringify({ kind: 'user', text: 'one more question' })}\n`)
  const parse = vi.spyOn(JSON, 'parse')
  const reading = await scan(at)
  const lines = parse.mock.calls.filter(([text]) => text.includes('"kind"')).length
  parse.mockRestore()
  expect(reading).toMatchObject({ kind: 'read', events: 601, kept: true })
  expect(lines).toBeLessThan(5)
})

const CHANGES: ReadonlyArray<readonly [string, (at: string, text: string) => void]> = [
  [
    'was rewritten in the middle, and grew',
    (at, text) => writeFileSync(at, `${text.replace('(900)', '(9x0)')}${makeSession(1)}`),
  ],
  [
    'was rewritten in the middle, with the same size and time',
    (at, text) => {
      const time = new Date(Date.now() - 5000)
      utimesSync(at, time, time)
      writeFileSync(at, text.replaceAll('TypeError', 'typeerror'))
      utimesSync(at, time, time)
    },
  ],
  ['was cut off', (at, text) => truncateSync(at, Math.floor(text.length / 2))],
  [
    'was replaced by a longer one',
    (at, text) => {
      writeFileSync(`${at}.new`, `${text}${makeSession(3)}`)
      renameSync(`${at}.new`, at)
    },
  ],
  ['is no transcript any more', (at) => writeFileSync(at, 'milk\n'.repeat(40_000))],
  ['is gone', (at) => rmSync(at)],
]

test.each(CHANGES)('[I148] a file that %s is read anew', async (_, change) => {
  const at = path('a.jsonl')
  const text = makeSession(1000)
  writeFileSync(at, text)
  expect(await scan(at)).toMatchObject({ kind: 'read', kept: true })
  change(at, text)
  const reading = await scan(at)
  const fresh = await makeThread()(at)
  expect(reading).toEqual(fresh)
  expect(await scan(at)).toEqual(fresh)
})

test('[I148] what is old, long or a document is not kept, nor is anything beside a mapping of one’s own', async () => {
  const old = path('a.jsonl')
  writeFileSync(old, makeSession(3))
  const hours = new Date(Date.now() - 3 * 3600_000)
  utimesSync(old, hours, hours)
  expect(await scan(old)).toMatchObject({ kind: 'read', kept: false })
  const long = path('b.jsonl')
  const thought = JSON.stringify({ kind: 'reasoning', text: 'a long word '.repeat(800_000) })
  writeFileSync(long, `${makeSession(2)}${thought}\n`)
  expect(await scan(long)).toMatchObject({ kind: 'read', kept: false })
  const document = path('c.json')
  writeFileSync(document, JSON.stringify([{ role: 'user', content: 'hello there' }], null, 1))
  expect(await scan(document)).toMatchObject({ kind: 'read', kept: false })
  const mapping =
    'records: $\nmatch: { $.said: hello }\nevents:\n  - role: $.by\n    text: $.said\n'
  const mapped = makeThread(makeFolder({ 'profiles/formats/mine.yaml': mapping }))
  const recent = path('d.jsonl')
  writeFileSync(recent, makeSession(3))
  expect(await mapped(recent)).toMatchObject({ kind: 'read' })
  expect(await scan(recent)).toMatchObject({ kind: 'read', kept: true })
})

test('[I148] a thread keeps the last eight', async () => {
  const own = makeThread()
  const paths = Array.from({ length: 10 }, (_, at) => path(`${at}.jsonl`))
  for (const each of paths) {
    writeFileSync(each, makeSession(2))
    await own(each)
  }
  const parse = vi.spyOn(JSON, 'parse')
  const parsed: boolean[] = []
  for (const each of paths.toReversed()) {
    parse.mockClear()
    await own(each)
    parsed.push(parse.mock.calls.some(([text]) => text.includes('"kind"')))
  }
  parse.mockRestore()
  expect(parsed).toEqual([...Array.from({ length: 8 }, () => false), true, true])
})
