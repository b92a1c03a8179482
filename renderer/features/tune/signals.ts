import type { SignalRow } from '../../../core/engine/schema/lab.ts'
import { failed, idle, loading, ready, valueOf } from '../../app/async-data.ts'
import { failureOf, host, wasCancelled } from '../../app/host.ts'
import { sideInForce } from '../lab-corpus/sides.ts'
import {
  type SignalColumn,
  type SignalPlace,
  type SignalsView,
  lab,
  patchLab,
} from '../lab-corpus/store.ts'
import { remember } from '../../ui/remember.ts'
import { store } from '../../app/store.ts'

/** Counts of all signals are asked for when typing pauses. */
const PAUSE_MS = 180
const MATCHES_MS = 60
const MOST_MATCHES = 100

let timer: ReturnType<typeof setTimeout> | undefined
let asking: AbortController | null = null
let matching: AbortController | null = null
let matchTimer: ReturnType<typeof setTimeout> | undefined

export function signalsSoon(): void {
  clearTimeout(timer)
  timer = setTimeout(() => void refreshSignals(), PAUSE_MS)
}

async function refreshSignals(): Promise<void> {
  asking?.abort()
  const corpus = valueOf(lab.getState().corpus)
  if (!corpus) return
  const controller = new AbortController()
  asking = controller
  const { document, session } = store.getState()
  patchLab({ signals: loading(lab.getState().signals) })
  try {
    const { rows } = await host().call(
      'lab.signals',
      {
        corpus: corpus.corpus,
        side: sideInForce(),
        key: valueOf(document.opened)?.key ?? null,
        inFile: session.index,
      },
      controller.signal,
    )
    if (controller.signal.aborted) return
    patchLab({ signals: ready(rows) })
    matchesSoon()
  } catch (error) {
    if (!controller.signal.aborted && !wasCancelled(error))
      patchLab({ signals: failed(failureOf(error, 'Signals'), lab.getState().signals) })
  }
}

/** Chooses a signal, by the cursor or in the table: its matches are shown. */
export function chooseSignalRow(place: SignalPlace | null): void {
  const { signal } = lab.getState()
  if (signal?.domain === place?.domain && signal?.index === place?.index) return
  patchLab({ signal: place })
  if (place) matchesSoon()
  else patchLab({ matches: idle })
}

export function rowOf(rows: readonly SignalRow[], place: SignalPlace | null): SignalRow | null {
  if (!place) return null
  return rows.find(({ domain, index }) => domain === place.domain && index === place.index) ?? null
}

function matchesSoon(): void {
  clearTimeout(matchTimer)
  matchTimer = setTimeout(() => void refreshMatches(), MATCHES_MS)
}

async function refreshMatches(): Promise<void> {
  matching?.abort()
  const { corpus, signals, signal } = lab.getState()
  const opened = valueOf(corpus)
  const row = rowOf(valueOf(signals) ?? [], signal)
  if (!opened || !row) return
  const controller = new AbortController()
  matching = controller
  patchLab({ matches: loading(lab.getState().matches) })
  try {
    const matches = await host().call(
      'lab.matches',
      {
        corpus: opened.corpus,
        pattern: row.pattern,
        dialect: row.dialect,
        flags: null,
        most: MOST_MATCHES,
      },
      controller.signal,
    )
    if (!controller.signal.aborted) patchLab({ matches: ready(matches) })
  } catch (error) {
    if (!controller.signal.aborted && !wasCancelled(error))
      patchLab({ matches: failed(failureOf(error, row.pattern), lab.getState().matches) })
  }
}

export function patchSignalsView(patch: Partial<SignalsView>): void {
  patchLab({ signalsView: { ...lab.getState().signalsView, ...patch } })
}

const CHANGES = { changed: 0, added: 1, same: 2 } as const

/** What a column sorts by; a share of nothing goes last. */
const KEY: Readonly<Record<Exclude<SignalColumn, 'place'>, (row: SignalRow) => number>> = {
  session: ({ session }) => session,
  corpus: ({ corpus }) => corpus,
  own: ({ own, corpus }) => (corpus === 0 ? -1 : own / corpus),
  precision: ({ precision }) => precision.value ?? -1,
  change: ({ change }) => -CHANGES[change],
  edited: ({ editedAt }) => editedAt ?? -1,
}

/** The rows that the table shows. */
export const shownSignals = remember(
  (rows: readonly SignalRow[], view: SignalsView): readonly SignalRow[] => {
    const words = view.filter.toLowerCase().split(/\s+/u).filter(Boolean)
    const found = words.length === 0 ? rows : rows.filter((row) => hasWords(row, words))
    if (view.sort === 'place') return view.down ? found.toReversed() : found
    const key = KEY[view.sort]
    return found.toSorted((a, b) => (view.down ? key(b) - key(a) : key(a) - key(b)))
  },
)

function hasWords({ domain, id, pattern, note }: SignalRow, words: readonly string[]): boolean {
  const hay = `${domain} ${id ?? ''} ${pattern} ${note ?? ''}`.toLowerCase()
  return words.every((word) => hay.includes(word))
}

/** The other direction for the column sorted by already, else the one that says most first. */
export function sortSignals(sort: SignalColumn): void {
  const { signalsView } = lab.getState()
  const same = signalsView.sort === sort
  patchSignalsView({ sort, down: same ? !signalsView.down : sort !== 'place' })
}
