import { createStore, useStore } from 'zustand'
import { type AsyncData, advanced, failed, idle, loading, ready, valueOf } from './async-data.ts'
import { connectedHost, connection } from './host.ts'
import { createKept } from './kept.ts'
import type { Question } from './question.ts'
import { type Delay, createDelay } from './timing.ts'

/** Holder of a query's data: a field of a store, or a dedicated place. */
export interface Place<T> {
  readonly get: () => AsyncData<T>
  readonly set: (data: AsyncData<T>) => void
}

/** Fields of a store as places. */
export function placesIn<S>(get: () => S, patch: (change: Partial<S>) => void) {
  return <K extends keyof S>(name: K) => ({
    get: () => get()[name],
    // A computed name widens to any string: the type of the object is lost here only.
    set: (data: S[K]) => patch({ [name]: data } as unknown as Partial<S>),
  })
}

/**
 * A store of a feature's own, beside the window's: with the hook that reads it, what changes it, and its
 * fields as places. A component re-renders when what `pick` returns changes (by identity).
 */
export function featureStore<S>(initial: S) {
  const store = createStore<S>(() => initial)
  const patch = (change: Partial<S>) => store.setState(change)
  const use = <T>(pick: (state: S) => T): T => useStore(store, pick)
  return { store, patch, use, place: placesIn(store.getState, patch) }
}

/** The answer on screen to one question at a time, and the answers to earlier ones. */
export interface Query<T> {
  readonly get: () => AsyncData<T>
  /** Notifies of every change, if the query has a dedicated place. */
  readonly subscribe: (listener: () => void) => () => void
  /**
   * Makes this the question on screen. Does nothing if it already is. Shows a known answer immediately; else sends the
   * question after `pause` ms without another one. Null shows nothing.
   */
  readonly show: (question: Question<T> | null, pause?: number) => void
  /** Sends the question even if its answer is known. Resolves when it is answered, failed or cancelled. */
  readonly ask: (question: Question<T>) => Promise<void>
  /** Sends the question on screen again, because its inputs changed or it failed. */
  readonly again: () => Promise<void>
  /** The Cancel button: keeps the data shown before, and does not repeat the question automatically. */
  readonly cancel: () => void
  /** Stops asking. The data on screen stays, and is requested again when it is next needed. */
  readonly leave: () => void
  /** Drops earlier answers, because their inputs changed. */
  readonly forget: () => void
  /** [U220] Takes an answer, or a question under way, of another basis off the screen. One without a basis stays. */
  readonly expire: (basis: string) => void
  /** Basis of the answer on screen, or of the question under way. */
  readonly basis: () => string | undefined
  /** The answer on screen was changed here. */
  readonly change: (by: (value: T) => T) => void
}

export interface Options<T> {
  readonly place?: Place<T>
  /** Maximum number of answers to earlier questions that are kept. The oldest are dropped. */
  readonly keep?: number
  /** Whether an earlier answer stays readable when a later question failed. */
  readonly keepWhenFailed?: boolean
  /** Called with each new answer, after it is shown. */
  readonly onAnswer?: (value: T) => void
}

export function createQuery<T>(options: Options<T> = {}): Query<T> {
  const own = ownPlace<T>()
  const { place = own } = options
  const known = createKept<T>(options.keep ?? 0)
  const delay = createDelay()
  const run = createRun(place, delay, options)
  let shown: Question<T> | null = null
  /** Of the answer on screen. */
  let basis: string | undefined
  let asked = connectedHost()
  /** The operator cancelled: the question is not repeated automatically. */
  let rests = false

  /** Another host has none of the previous host's answers. */
  const enter = (question: Question<T> | null) => {
    run.stop()
    if (asked !== connectedHost()) known.clear()
    asked = connectedHost()
    shown = question
    rests = false
  }
  const isShown = (question: Question<T> | null) =>
    question?.key === shown?.key &&
    asked === connectedHost() &&
    (!question || rests || delay.isDue() || place.get().status !== 'idle')
  const drop = () => {
    run.stop()
    place.set(idle)
  }
  const begin = (question: Question<T>) => {
    // [U220] A number of another configuration does not stay while the next is computed.
    if (question.basis !== basis) drop()
    basis = question.basis
    return run.begin(question, (value) => {
      if (question.isLasting?.(value) !== false) known.set(question.key, value)
    })
  }
  const open = (question: Question<T>) => {
    const answer = known.get(question.key)
    if (answer === undefined) void begin(question)
    else {
      basis = question.basis
      place.set(ready(answer))
    }
  }
  const expire = (now: string) => {
    if (basis === undefined || basis === now) return
    drop()
    basis = undefined
    shown = null
  }
  const show = (question: Question<T> | null, pause = 0) => {
    if (isShown(question)) return
    enter(question)
    if (!question) place.set(idle)
    else if (pause > 0) {
      if (question.basis !== basis) drop()
      delay.restart(() => open(question), pause)
    } else open(question)
  }
  const cancel = () => {
    run.stop()
    settle(place)
    rests = true
  }
  const leave = () => {
    cancel()
    shown = null
  }
  const ask = (question: Question<T>) => {
    enter(question)
    return begin(question)
  }
  const again = () => (shown ? begin(shown) : Promise.resolve())
  const change = (by: (value: T) => T) => {
    const value = valueOf(place.get())
    if (shown) known.delete(shown.key)
    if (value !== null) place.set(ready(by(value)))
  }
  return {
    get: place.get,
    subscribe: own.subscribe,
    show,
    ask,
    again,
    cancel,
    leave,
    change,
    expire,
    forget: known.clear,
    basis: () => basis,
  }
}

type Run<T> = Pick<Options<T>, 'keepWhenFailed' | 'onAnswer'>

/** Asks one question at a time and shows how far it is; nothing is shown of one that was stopped. */
function createRun<T>(place: Place<T>, delay: Delay, options: Run<T>) {
  const { keepWhenFailed = true, onAnswer } = options
  let end: () => void = nothing
  const stop = () => {
    delay.stop()
    end()
  }
  const begin = async (question: Question<T>, answered: (value: T) => void) => {
    stop()
    place.set(loading(place.get()))
    const { promise, resolve } = Promise.withResolvers<undefined>()
    let over = false
    const show = (data: AsyncData<T>) => {
      place.set(data)
      if (data.status !== 'loading') resolve(undefined)
    }
    const cancel = question.ask({
      answer: (value) => {
        if (over) return
        answered(value)
        show(ready(value))
        onAnswer?.(value)
      },
      progress: (progress) => {
        if (!over) show(advanced(place.get(), progress))
      },
      failed: (failure) => {
        if (!over) show(failed(failure, keepWhenFailed ? place.get() : idle))
      },
      ended: () => {
        if (over) return
        settle(place)
        resolve(undefined)
      },
    })
    end = () => {
      over = true
      cancel()
      resolve(undefined)
    }
    await promise
  }
  return { begin, stop }
}

function nothing(): void {
  // There is nothing to stop.
}

/** No further answer will arrive, so the previous data stays on screen. */
function settle<T>(place: Place<T>): void {
  const data = place.get()
  if (data.status !== 'loading') return
  place.set(data.previous === null ? idle : ready(data.previous))
}

function ownPlace<T>() {
  const own = createStore<{ readonly data: AsyncData<T> }>(() => ({ data: idle }))
  return {
    get: () => own.getState().data,
    set: (data: AsyncData<T>) => own.setState({ data }),
    subscribe: (listener: () => void) => own.subscribe(listener),
  }
}

/** A source of changes: a store, or another query. */
interface Source {
  readonly subscribe: (listener: () => void) => () => void
}

interface Followed<T> extends Options<T> {
  readonly watch: readonly Source[]
  /** The question to show now. Null shows nothing; undefined keeps the current one. */
  readonly question: () => Question<T> | null | undefined
  /** Milliseconds without another question before this one is asked. */
  readonly pause?: () => number
}

/** A query that follows the window. After every change of a source it determines the question to show. */
export function followed<T>({ watch, question, pause, ...options }: Followed<T>): Query<T> {
  const query = createQuery(options)
  let topic: string | undefined
  const look = () => {
    if (!connection.getState().isReady) return
    const next = question()
    if (next === undefined) return
    // The pending answer arrives first. The store update that it causes calls this function again.
    const isInTurn = next?.topic !== undefined && next.topic === topic
    if (isInTurn && query.get().status === 'loading') return
    topic = next?.topic
    query.show(next, pause?.())
  }
  for (const source of [connection, ...watch]) source.subscribe(look)
  const again = async () => {
    query.forget()
    const next = connection.getState().isReady ? question() : undefined
    if (next) await query.ask(next)
    else query.leave()
  }
  return { ...query, again }
}
