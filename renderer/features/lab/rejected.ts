import { featureStore } from '../../app/query.ts'

const KEY = 'turnscope.rejected'
/** The oldest go. */
const MOST = 500

function remembered(): ReadonlySet<string> {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return new Set(Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [])
  } catch {
    return new Set()
  }
}

/** [L93] Proposals that the operator rejected in this browser. They are not shown again. */
export const {
  store: rejected,
  use: useRejected,
  patch: patchRejected,
} = featureStore<{ readonly patterns: ReadonlySet<string> }>({ patterns: remembered() })

function put(patterns: readonly string[]): void {
  const kept = patterns.slice(-MOST)
  patchRejected({ patterns: new Set(kept) })
  localStorage.setItem(KEY, JSON.stringify(kept))
}

export function reject(key: string): void {
  put([...rejected.getState().patterns, key])
}

/** All that were turned down may be proposed again. */
export function forgetRejected(): void {
  put([])
}
