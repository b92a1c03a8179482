import type { Output } from '../../../wire/method.ts'
import type { TurnscopeContract } from '../../../wire/contract.ts'
import type { Findable, Matcher, Test } from '../../../engine/find/match.ts'
import { textOf, type PlainEvent, type SessionTexts } from '../../../engine/schema/event.ts'
import { type TimeLimit, moreTime, PATTERN_LIMIT_MS } from '../../platform/guard/guard.ts'
import type { Breath } from '../../platform/threads/yielding.ts'

/** Events of one answer at most. */
const MAX_FOUND = 100_000

/** Events that a query finds; texts on which a regular expression ran out of time are not found. */
type Found = Omit<Output<TurnscopeContract, 'session.find'>, 'problem'>

interface FindOptions {
  readonly limit: TimeLimit
  readonly breath: Breath
  /** Default: `MAX_FOUND`. */
  readonly most?: number
}

/** UTF-16 units that foreign patterns run over under one limit: starting one costs 0.2 ms. */
const BATCH_CHARS = 256 * 1024

/**
 * [F10] Time that a text may delay the search: 250 ms until two seconds are lost, then 20 ms until ten seconds are
 * lost. After that, no further text is tried.
 */
function allowance(lostMs: number): number {
  if (lostMs < 2000) return PATTERN_LIMIT_MS
  return lostMs < 10_000 ? 20 : 0
}

/**
 * Events that a query finds, in order. The operator's regular expressions run under the time limit. A text that uses up
 * its limit counts in `cutOff`, and the search continues. Throws when it is cancelled.
 */
export async function findEvents(
  { events, texts }: SessionTexts,
  { quick, slow }: Matcher,
  { limit, breath, most = MAX_FOUND }: FindOptions,
): Promise<Found> {
  const seqs: number[] = []
  const hunt = slow === null ? null : createHunt(slow, limit)
  let batch: Candidate[] = []
  let chars = 0
  for (const event of events) {
    if (seqs.length > most) break
    if (quick(event, () => textOf(event, texts))) {
      if (hunt === null) seqs.push(event.seq)
      else {
        const { seq, kind, name, isError, from } = event
        const source = from === undefined ? {} : { from }
        batch.push({ seq, kind, name, isError, ...source, text: textOf(event, texts) })
        chars += event.chars + 1
      }
    }
    if (hunt !== null && chars >= BATCH_CHARS) {
      seqs.push(...hunt.run(batch))
      batch = []
      chars = 0
    }
    await breath()
  }
  if (hunt !== null) seqs.push(...hunt.run(batch))
  const more = seqs.length > most
  return { seqs: more ? seqs.slice(0, most) : seqs, more, cutOff: hunt?.cutOff() ?? 0 }
}

/** An event for which only foreign patterns are left to run, with its text. */
type Candidate = Findable & Pick<PlainEvent, 'text'>

interface Hunt {
  run(batch: readonly Candidate[]): readonly number[]
  cutOff(): number
}

/** Runs foreign patterns; texts are at hand, so a run that is cut off leaves nothing half done. */
function createHunt(slow: Test, limit: TimeLimit): Hunt {
  let lostMs = 0
  let cutOff = 0

  function attempt(events: readonly Candidate[], verdicts: boolean[]): boolean {
    const chars = events.reduce((sum, { text }) => sum + text.length, 0)
    const ran = limit(
      () => {
        for (const event of events) verdicts.push(slow(event, () => event.text))
      },
      allowance(lostMs) + moreTime.onePattern(chars),
    )
    if (!ran.ok) lostMs += ran.elapsedMs
    return ran.ok
  }

  /** Keeps the verdicts decided before a cut-off. The next candidate is the suspect and runs alone. */
  function verdictsOf(batch: readonly Candidate[]): readonly boolean[] {
    const verdicts: boolean[] = []
    while (verdicts.length < batch.length && allowance(lostMs) > 0) {
      if (attempt(batch.slice(verdicts.length), verdicts)) break
      const suspect = batch[verdicts.length]
      if (suspect === undefined || attempt([suspect], verdicts)) continue
      verdicts.push(false)
      cutOff += 1
    }
    cutOff += batch.length - verdicts.length
    return verdicts
  }

  return {
    run: (batch) => {
      const verdicts = verdictsOf(batch)
      return batch.flatMap(({ seq }, index) => (verdicts[index] === true ? [seq] : []))
    },
    cutOff: () => cutOff,
  }
}
