import { useStore } from 'zustand'
import { type State, store } from './store.ts'

/** A component re-renders when what `pick` returns changes (by identity). */
export function useApp<T>(pick: (state: State) => T): T {
  return useStore(store, pick)
}
