/** Parts of the gate that run if their inputs changed. `npm run test:full` always runs them. */
export interface Part {
  readonly id: 'coverage' | 'packaging' | 'double' | 'browsers'
  readonly what: string
  /** Paths that the result of the part depends on. */
  readonly inputs: RegExp
  /** Its files among the end-to-end tests; null if it is a separate stage, or an option of one. */
  readonly specs: RegExp | null
}

const COMMON = 'package\\.json$|package-lock\\.json$|scripts/parts\\.ts$'
const inputs = (paths: string) => new RegExp(`^(?:${COMMON}|${paths})`, 'u')

export const PARTS: readonly Part[] = [
  {
    id: 'coverage',
    what: 'coverage of core/engine (its tests ran)',
    inputs: inputs(
      'core/engine/|core/host/(?:transcripts|workspace|platform)/|fixtures/|scripts/coverage',
    ),
    specs: null,
  },
  {
    id: 'packaging',
    what: 'packaging checks',
    inputs: inputs(
      'electron/|bin/|schemas/|profiles/|electron-builder\\.yml|vite\\.config|NOTICE|LICENSE|core/api/|core/host/(?:entries/|.*main)|core/cli/main|scripts/(?:package|packages|packaging|licences|model|automata|left-out|tool-packages|own-node|stub-distribution|desktop-package|build)',
    ),
    specs: null,
  },
  {
    id: 'double',
    what: 'end-to-end tests of the electron double',
    inputs: inputs('electron/|e2e/electron-double/|e2e/helpers/|core/host/|core/wire/'),
    specs: /^e2e\/electron-double\//u,
  },
  {
    id: 'browsers',
    what: 'exported pages in other browsers',
    inputs: inputs(
      'page/|renderer/|e2e/(?:helpers/|other-browsers)|core/host/page/|core/host/export/',
    ),
    specs: /^e2e\/other-browsers/u,
  },
]

/** Whether a part has to run. Unknown changes (null) count as changes of everything. */
export function touches(pattern: RegExp, changed: readonly string[] | null): boolean {
  return changed === null || changed.some((name) => pattern.test(name))
}
