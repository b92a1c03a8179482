import { useMemo } from 'react'
import { Timeline } from '../timeline/timeline.tsx'
import { ProgressView } from '../ui/progress.tsx'
import { valueOf } from './async-data.ts'
import { LANES } from './features.ts'
import { cancelReplay } from './replay.ts'
import { selectTurn } from './select.ts'
import { resolveTheme, selectedTurn } from './selectors.ts'
import { useApp } from './use-store.ts'
import { replayedOf } from './verdicts.ts'

/** A file that grows is replayed again and again: only what takes long is worth a word. */
const GROWING_MS = 1500

/** The timeline of the session in view, with the progress of a replay over it. */
export function TimelinePanel() {
  const replayed = useApp(replayedOf)
  const events = useApp((state) => valueOf(state.session.events))
  const infos = useApp((state) => valueOf(state.session.domains))
  const replay = useApp((state) => state.session.replay)
  const selected = useApp(selectedTurn)
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
          otherName={replayed.other?.name}
          flips={replayed.flips}
          domains={domains}
          kinds={kinds}
          lanes={LANES}
          selected={selected}
          theme={theme}
          onSelect={selectTurn}
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
