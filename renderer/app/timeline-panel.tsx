import { useCallback, useMemo } from 'react'
import type { StepBar } from '../../core/engine/schema/bundle-wire.ts'
import { Timeline } from '../timeline/timeline.tsx'
import { valueOf } from './async-data.ts'
import { selectedStep, useBundles } from '../features/bundle/bundle.ts'
import { resolveTheme, selectedTurn } from './selectors.ts'
import { useCoach } from '../features/coach/store.ts'
import { stylesOf, useProbe } from '../features/probe/store.ts'
import { selectSeq, selectTurn } from './select.ts'
import type { State } from './store.ts'
import { useApp } from './use-store.ts'
import { cancelReplay } from './replay.ts'
import { ProgressView } from '../ui/progress.tsx'
import { useProbeNote } from '../features/probe/probe-note.tsx'
import { replayedOf } from './verdicts.ts'

const NO_STEPS: readonly StepBar[] = []

/** Events that find found in the session; null while nothing is looked for. */
function matchesOf({ view: { find } }: State): readonly number[] | null {
  return find?.scope === 'session' && find.asked !== '' ? find.seqs : null
}

/** A file that grows is replayed again and again: only what takes long is worth a word. */
const GROWING_MS = 1500

/** The timeline of the session in view, with the progress of a replay over it. */
export function TimelinePanel() {
  const replayed = useApp(replayedOf)
  const events = useApp((state) => valueOf(state.session.events))
  const infos = useApp((state) => valueOf(state.session.domains))
  const oracle = useApp((state) => valueOf(state.session.oracle))
  const coach = useCoach((state) => valueOf(state.columns))
  const hits = useProbe((state) => valueOf(state.session)?.columns ?? null)
  const styles = useProbe(stylesOf)
  const note = useProbeNote()
  const probe = useMemo(() => ({ columns: hits, styles, note }), [hits, styles, note])
  const replay = useApp((state) => state.session.replay)
  const selected = useApp(selectedTurn)
  const matches = useApp(matchesOf)
  const index = useApp((state) => state.session.index)
  const growing = useApp(
    ({ document }) => document.growth !== null || document.follow.state !== 'off',
  )
  // Another file starts with its own zoom.
  const file = useApp((state) => valueOf(state.document.opened)?.key ?? '')
  const theme = useApp((state) => resolveTheme(state.view.theme, state.view.systemDark))
  const kinds = useMemo(
    () => (replayed && events ? replayed.columns.seq.map((seq) => events.kind[seq] ?? 0) : null),
    [replayed, events],
  )
  const domains = useMemo(
    () => infos ?? replayed?.columns.domains.map((name, priority) => ({ name, priority })) ?? [],
    [infos, replayed],
  )
  const steps = useBundles((state) => valueOf(state.steps)?.steps ?? NO_STEPS)
  const step = useApp(selectedStep)
  const bundles = useMemo(() => ({ steps, selected: step, onSelect: selectSeq }), [steps, step])
  const onSelect = useCallback((turn: number) => selectTurn(turn), [])
  return (
    <section
      className="full-height relative on-panel"
      aria-label="Timeline"
      aria-busy={replay.status === 'loading'}
    >
      {replayed ? (
        <Timeline
          key={`${file} ${index}`}
          columns={replayed.columns}
          compare={replayed.compare}
          flips={replayed.flips}
          domains={domains}
          kinds={kinds}
          oracle={oracle}
          bundles={bundles}
          matches={matches}
          coach={coach}
          probe={probe}
          selected={selected}
          theme={theme}
          onSelect={onSelect}
        />
      ) : (
        <div className="timeline-bones stack" aria-hidden>
          {Array.from({ length: 8 }, (_, at) => (
            <i key={at} className="bone bone-lane" />
          ))}
        </div>
      )}
      <div className="timeline-progress">
        <ProgressView
          data={replay}
          idle="Replaying"
          onCancel={cancelReplay}
          after={growing ? GROWING_MS : undefined}
        />
      </div>
    </section>
  )
}
