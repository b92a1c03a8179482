import { useEffect, useMemo, useState } from 'react'
import { domainStyle, type DomainStyles } from '../ui/domain-style.ts'
import { levelSteps, type Levels } from './bins.ts'
import {
  finish,
  timelineSteps,
  type Steps,
  type TimelineData,
  type TimelineSource,
} from './data.ts'
import { signatureRuns, type SignatureRun } from './runs.ts'

/** Data computed once per replay. */
export interface Prepared {
  readonly source: TimelineSource
  readonly data: TimelineData
  readonly levels: Levels
  readonly runs: readonly SignatureRun[]
  readonly styles: DomainStyles
}

/** Sessions up to this many turns are ready before the next frame anyway. */
const AT_ONCE = 3000
/** Milliseconds of work between two frames: half of one, the other half is for drawing. */
const SLICE_MS = 7

function* prepareSteps(source: TimelineSource): Steps<Prepared> {
  const data = yield* timelineSteps(source)
  yield
  const runs = signatureRuns(data)
  const levels = yield* levelSteps(data)
  return { source, data, runs, levels, styles: domainStyle(data.names) }
}

/** Runs steps between frames; returns the function that gives up. */
function runSliced<T>(steps: Steps<T>, done: (result: T) => void): () => void {
  const channel = new MessageChannel()
  channel.port1.onmessage = () => {
    const end = performance.now() + SLICE_MS
    do {
      const step = steps.next()
      if (step.done === true) {
        done(step.value)
        channel.port1.close()
        return
      }
    } while (performance.now() < end)
    channel.port2.postMessage(null)
  }
  channel.port2.postMessage(null)
  return () => channel.port1.close()
}

/**
 * [U11] Prepares a replay for drawing without blocking a frame. Until it is done, the previous result stays; null
 * before the first.
 */
export function usePrepared(source: TimelineSource): Prepared | null {
  const small = source.columns.turns <= AT_ONCE
  const now = useMemo(() => (small ? finish(prepareSteps(source)) : null), [small, source])
  const [later, setLater] = useState<Prepared | null>(null)
  useEffect(() => (small ? undefined : runSliced(prepareSteps(source), setLater)), [small, source])
  return now ?? later
}
