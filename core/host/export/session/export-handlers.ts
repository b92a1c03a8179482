import type { z } from 'zod'
import type { Progress, TurnscopeContract } from '../../../wire/contract.ts'
import { droppedFacts } from '../../../engine/redact/dropped.ts'
import { redactText } from '../../../engine/redact/redact.ts'
import { createReview } from '../../../engine/redact/review.ts'
import { sessionLines, sessionRecords } from '../../../engine/redact/session-lines.ts'
import type { Immutable } from '../../../engine/schema/immutable.ts'
import type { HandlersOf } from '../../../wire/rpc.ts'
import { createBreath, reporting, throttled, inChunks } from '../../platform/threads/yielding.ts'
import type { SessionContract } from '../../../wire/threads.ts'
import type { SessionService } from '../../sessions/session/service.ts'

type Review = TurnscopeContract['export.review']
type Write = SessionContract['export.write']
type WriteStep = Immutable<z.output<Write['out']>>
type ReviewStep = Immutable<z.output<Review['out']>>
type Step = Immutable<z.infer<typeof Progress>>

/** Characters of one chunk of a written session. */
const CHUNK = 256 * 1024

type Sessions = Pick<SessionService, 'opened' | 'session'>

/** Handlers for text that leaves the machine. */
export function createExportHandlers(service: Sessions): HandlersOf<SessionContract, 'export'> {
  return {
    'export.review': (input, { signal }) => review(service, input, signal),
    'export.write': (input, { signal }) => write(service, input, signal),
    'export.text': ({ text, kinds }) => {
      let redacted = 0
      const onSecret = () => {
        redacted += 1
      }
      return { text: redactText(text, { kinds, onSecret }), redacted }
    },
  }
}

/** Sessions of a file, by index. */
export function chosenOf(
  service: Sessions,
  { key, sessions }: Pick<z.output<Review['in']>, 'key' | 'sessions'>,
) {
  const { transcript } = service.opened(key)
  const all = transcript.sessions.map((_, index) => index)
  const indexes = sessions === null ? all : [...new Set(sessions)].toSorted((a, b) => a - b)
  const chosen = indexes.map((session) => ({
    index: session,
    session: service.session({ key, session }),
  }))
  const total = chosen.reduce((sum, { session }) => sum + session.events.length + 1, 0)
  return { transcript, chosen, total, indexes: new Set(indexes) }
}

async function* review(
  service: Sessions,
  input: z.output<Review['in']>,
  signal: AbortSignal,
): AsyncGenerator<ReviewStep, void> {
  const { transcript, chosen, total, indexes } = chosenOf(service, input)
  const found = createReview(input.kinds)
  yield* reporting<ReviewStep, undefined>(async (report) => {
    const count = counter('reviewing', total, report)
    const breath = createBreath(signal)
    for (const { index, session } of chosen) {
      let seq = -1
      for (const record of sessionRecords(session)) {
        found.add(record, { session: index, seq })
        seq += 1
        count()
        await breath()
      }
    }
    return undefined
  })
  yield {
    kind: 'reviewed',
    findings: found.findings(),
    total: found.total(),
    dropped: droppedFacts(transcript, indexes),
  }
}

/** Says `progress` once a step was made. */
function counter(phase: Step['phase'], total: number, report: (step: Step) => void): () => void {
  const say = throttled((done, all) => report({ kind: 'progress', phase, done, total: all }))
  let done = 0
  return () => {
    done += 1
    say(done, total)
  }
}

async function* write(
  service: Sessions,
  input: z.output<Write['in']>,
  signal: AbortSignal,
): AsyncGenerator<WriteStep, void> {
  const { chosen, total } = chosenOf(service, input)
  let redacted = 0
  const options = {
    kinds: input.kinds,
    keep: new Set(input.keep),
    onSecret: () => {
      redacted += 1
    },
  }
  const breath = createBreath(signal)
  function* lines(count: () => void): Generator<string> {
    for (const { session } of chosen) {
      for (const line of sessionLines(session, options)) {
        count()
        yield line
      }
    }
  }
  let bytes = 0
  let done = 0
  const count = () => {
    done += 1
  }
  for await (const text of inChunks(lines(count), CHUNK, breath)) {
    bytes += Buffer.byteLength(text)
    yield { kind: 'chunk', text }
    yield { kind: 'progress', phase: 'writing', done, total }
  }
  yield { kind: 'written', bytes, redacted }
}
