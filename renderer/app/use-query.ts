import { useEffect, useState, useSyncExternalStore } from 'react'
import { useStore } from 'zustand'
import type { AsyncData } from './async-data.ts'
import { connection } from './host.ts'
import { type Query, createQuery } from './query.ts'
import type { Question } from './question.ts'

export interface Asked<T> {
  readonly data: AsyncData<T>
  readonly cancel: () => void
  readonly again: () => void
  /** Basis of the data, if its question has one. */
  readonly basis?: string | undefined
}

/**
 * Asks while the component is on screen, whenever the key of the question is another one (and of
 * another host). The answer before stays in sight meanwhile. Null asks nothing.
 */
export function useQuery<T>(question: Question<T> | null, pause = 0): Asked<T> {
  const { query, data } = useOwnQuery<T>()
  const client = useStore(connection, ({ host }) => host)
  useEffect(() => {
    if (!client) return
    if (question) query.show(question, pause)
    else query.leave()
  }, [query, question, client, pause])
  const again = () => void query.again()
  return { data, cancel: query.cancel, again, basis: query.basis() }
}

/** A query that a component asks itself; it is left with the component. */
export function useOwnQuery<T>() {
  const [query] = useState(() => createQuery<T>())
  useEffect(() => query.leave, [query])
  return { query, data: useData(query) }
}

/** The value once it has been the same for `ms` milliseconds; until then the one before, at first `first`. */
export function useSettled<T, F extends T | null>(value: T, ms: number, first: F): T | F {
  const [settled, setSettled] = useState<T | F>(first)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}

/** The data of a query with a dedicated place. */
export function useData<T>({ subscribe, get }: Pick<Query<T>, 'subscribe' | 'get'>): AsyncData<T> {
  return useSyncExternalStore(subscribe, get)
}
