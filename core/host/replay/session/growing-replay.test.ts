import fc from 'fast-check'
import { expect, test } from 'vitest'
import { casesOf } from '../../../../fixtures/cases.ts'
import type { SessionEvent, TextReader } from '../../../engine/schema/event.ts'
import type { EventKind } from '../../../engine/schema/event-kind.ts'
import { createTimeLimit } from '../../platform/guard/guard.ts'
import { CONFIG, REPOSITORY, valueOf } from '../../../../fixtures/host.ts'
import { openWorkspace } from '../../workspace/workspace.ts'
import { loadConfig } from '../../workspace/config-files.ts'
import { compilePipeline } from '../../rules/pipelines.ts'
import { plainEvent } from '../../../../fixtures/events.ts'
import type { Session } from '../../../engine/schema/session.ts'
import { createGrowingReplay, replaySession } from './replay.ts'
import { createScanCache } from './scan-cache.ts'

const limit = createTimeLimit()
const { signal } = new AbortController()
const workspace = openWorkspace(REPOSITORY)
const compiled = async (config = CONFIG) =>
  valueOf(compilePipeline(valueOf(await loadConfig(workspace, config))))

const TEXTS = [
  'Investigate why the credit rating changed and find evidence in the filings',
  'Investigate <think>fix the crash, git commit</think> the downgrade',
  'ls -la /tmp/work',
  `Write a python function ${'that parses the table '.repeat(200)} and add unit tests`,
  '  ',
  'ok',
]
const kinds = fc.constantFrom<EventKind>('user', 'agent', 'tool_call', 'tool_result', 'injected')

/** Events whose texts are counted when they are fetched. */
function eventsOf(rows: ReadonlyArray<readonly [EventKind, number]>) {
  const fetched: number[] = rows.map(() => 0)
  const events = rows.map(([kind, text], seq): SessionEvent => ({
    ...plainEvent({ seq, kind, text: TEXTS[text] ?? '' }),
    text: seq,
  }))
  const texts: TextReader = {
    get(seq) {
      fetched[seq] = (fetched[seq] ?? 0) + 1
      return TEXTS[rows[seq]?.[1] ?? 0] ?? ''
    },
  }
  const session = (to = rows.length): Session => ({
    id: 's',
    title: '',
    thread: 'main',
    parent: null,
    startedAt: null,
    cwd: null,
    events: events.slice(0, to),
    texts,
  })
  return { session, fetched }
}

test('[I57] a replay that grows with its session is the whole replay, at every length', async () => {
  for (const preset of ['recommended', 'field']) {
    const classify = { user: true, agent: true, tool: true }
    const pipeline = await compiled({ ...CONFIG, preset, classify })
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(kinds, fc.nat(TEXTS.length - 1)), { maxLength: 40 }),
        fc.array(fc.nat(40), { maxLength: 5 }),
        async (rows, lengths) => {
          const { session } = eventsOf(rows)
          const growing = createGrowingReplay(pipeline, limit, createScanCache())
          for (const length of [...lengths.sort((a, b) => a - b), rows.length]) {
            const now = session(length)
            const grown = await growing.extend(now, { signal })
            const whole = await replaySession(pipeline, now, { limit, signal })
            expect(grown.columns).toEqual(whole.columns)
            expect(grown.states).toEqual(whole.states)
            expect(grown.enrichments).toEqual(whole.enrichments)
            expect(grown.turns.map((turn) => turn.seq)).toEqual(whole.turns.map((turn) => turn.seq))
          }
        },
      ),
      casesOf('session: growing replay'),
    )
  }
})

test('[I57] texts that were scanned are not fetched again, and an earlier result stays what it was', async () => {
  const pipeline = await compiled()
  const { session, fetched } = eventsOf(Array.from({ length: 60 }, (_, at) => ['user', at % 4]))
  const growing = createGrowingReplay(pipeline, limit, createScanCache())
  const first = await growing.extend(session(40), { signal })
  const columns = structuredClone(first.columns)
  const before = fetched.slice(0, 40)
  await growing.extend(session(), { signal })
  expect(fetched.slice(0, 40)).toEqual(before)
  expect(fetched.slice(40).every((times) => times > 0)).toBe(true)
  expect(first.columns).toEqual(columns)
})

test('[I57] a cancelled replay is taken up by the next one', async () => {
  const pipeline = await compiled()
  const { session } = eventsOf(Array.from({ length: 3000 }, (_, at) => ['user', at % 4]))
  const growing = createGrowingReplay(pipeline, limit, createScanCache())
  const stop = new AbortController()
  const onProgress = () => stop.abort()
  const cancelled = growing.extend(session(), { signal: stop.signal, onProgress })
  await expect(cancelled).rejects.toThrow('cancelled')
  const grown = await growing.extend(session(), { signal })
  const whole = await replaySession(pipeline, session(), { limit, signal })
  expect(grown.columns).toEqual(whole.columns)
})
