import type { RunChoice, ViewState } from './store.ts'

/** A choice as the wire wants it. `classify` stays as the preset says. */
export function wireConfig(run: RunChoice) {
  return { ...run, classify: null }
}

/** What is replayed and what it is compared with, as the wire wants them. */
export function wireConfigs({ run, compare }: Pick<ViewState, 'run' | 'compare'>) {
  return { config: wireConfig(run), compare: compare && wireConfig(compare) }
}
