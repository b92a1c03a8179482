import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

/** State of a dialog that survives closing it while the window is open; nothing is written anywhere. */
export function createKeptState<T>(first: T): () => readonly [T, (value: T) => void] {
  const store = createStore<{ readonly value: T }>(() => ({ value: first }))
  const set = (value: T) => store.setState({ value })
  return () => [useStore(store, ({ value }) => value), set]
}
