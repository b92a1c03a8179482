import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { TurnscopeContract } from '../../../core/wire/contract.ts'
import type { CallName, Input, Output, StreamName } from '../../../core/wire/rpc.ts'
import {
  type AsyncData,
  type Failure,
  type Progress,
  advanced,
  failed,
  idle,
  loading,
  ready,
  valueOf,
} from '../../app/async-data.ts'
import { failureOf, host, wasCancelled } from '../../app/host.ts'
import { sideInForce } from '../lab-corpus/sides.ts'
import { type WireSide, useLab } from '../lab-corpus/store.ts'
import { runKey } from '../../app/store.ts'
import { useApp } from '../../app/use-store.ts'

/** What every question of the lab begins with. */
export interface About {
  readonly corpus: string
  readonly side: WireSide
}

/** Milliseconds without another edit before a study is computed anew. */
const SETTLE_MS = 350

/** The corpus and the draft as they are once nobody types; null without a corpus. */
export function useAbout(): About | null {
  const corpus = useLab((state) => valueOf(state.corpus)?.corpus ?? null)
  const text = useLab((state) => state.text)
  const options = useLab((state) => state.options)
  const file = useLab((state) => state.file)
  const revision = useLab((state) => state.revision)
  const run = useApp((state) => runKey(state.view.run))
  const now = useMemo<About | null>(
    () => (corpus === null ? null : { corpus, side: sideInForce() }),
    // The side is read from the stores: it is another one when any of these is.
    // eslint-disable-next-line react-hooks/exhaustive-deps -- see above
    [corpus, text, options, file, revision, run],
  )
  const [settled, setSettled] = useState(now)
  const first = settled === null
  useEffect(() => {
    const timer = setTimeout(() => setSettled(now), first ? 0 : SETTLE_MS)
    return () => clearTimeout(timer)
  }, [now, first])
  return settled
}

interface Listener<T> {
  answer(value: T): void
  progress(progress: Progress): void
  failed(failure: Failure): void
}

/** Asks; returns what stops asking. */
export type Ask<T> = (on: Listener<T>) => () => void

/** A question that is answered once. */
export function askCall<K extends CallName<TurnscopeContract>>(
  name: K,
  input: Input<TurnscopeContract, K>,
): Ask<Output<TurnscopeContract, K>> {
  return (on) => {
    const controller = new AbortController()
    host()
      .call(name, input, controller.signal)
      .then((value) => {
        if (!controller.signal.aborted) on.answer(value)
      })
      .catch((error: unknown) => {
        if (!controller.signal.aborted && !wasCancelled(error)) on.failed(failureOf(error, 'Lab'))
      })
    return () => controller.abort()
  }
}

type Message<K extends StreamName<TurnscopeContract>> = Output<TurnscopeContract, K>
type Answer<K extends StreamName<TurnscopeContract>> = Exclude<
  Message<K>,
  { readonly kind: 'progress' }
>

/** A question whose answer takes its time. */
export function askStream<K extends LabStream>(
  name: K,
  input: Input<TurnscopeContract, K>,
): Ask<Answer<K>> {
  return (on) =>
    host().subscribe(name, input, {
      next: (message) => {
        // Every stream of the lab tells its progress in the same shape.
        if (message.kind === 'progress') on.progress(message)
        else on.answer(message as Answer<K>)
      },
      error: (error) => {
        if (!wasCancelled(error)) on.failed(failureOf(error, 'Lab'))
      },
    })
}
type LabStream =
  | 'lab.lint'
  | 'lab.ablation'
  | 'lab.whatIf'
  | 'lab.suggest'
  | 'lab.flips'
  | 'probe.scores'
  | 'probe.curve'

export interface Asked<T> {
  readonly data: AsyncData<T>
  readonly cancel: () => void
}

/** Asks whenever `ask` is another one (memoise it); the answer before stays in sight meanwhile. */
export function useAnswer<T>(ask: Ask<T> | null): Asked<T> {
  const [data, setData] = useState<AsyncData<T>>(idle)
  const stop = useRef<() => void>(() => undefined)
  useEffect(() => {
    if (!ask) return undefined
    let over = false
    const put = (change: (now: AsyncData<T>) => AsyncData<T>) => {
      if (!over) setData(change)
    }
    // A loading state of its own, not an effect on top of one: it begins with the question.
    queueMicrotask(() => put((now) => (now.status === 'loading' ? now : loading(now))))
    const cancel = ask({
      answer: (value) => put(() => ready(value)),
      progress: (progress) => put((now) => advanced(now, progress)),
      failed: (failure) => put((now) => failed(failure, now)),
    })
    stop.current = () => {
      over = true
      cancel()
    }
    return () => {
      over = true
      cancel()
    }
  }, [ask])
  const cancel = useCallback(() => {
    stop.current()
    setData((now) => {
      const before = valueOf(now)
      return before === null ? idle : ready(before)
    })
  }, [])
  return { data, cancel }
}
