import { useMemo } from 'react'
import { Timeline } from '../timeline/timeline.tsx'
import { ContextMenu, MenuItem } from '../ui/popover.tsx'
import { ProgressView } from '../ui/progress.tsx'
import { valueOf } from './async-data.ts'
import { commandOf, runCommand } from './commands.ts'
import { LANES } from './features.ts'
import { LanesMenu } from './lanes-menu.tsx'
import { cancelReplay } from './replay.ts'
import { selectTurn } from './select.ts'
import { resolveTheme, selectedTurn } from './selectors.ts'
import { useApp } from './use-store.ts'
import { replayedOf } from './verdicts.ts'

/** A file that grows is replayed again and again: only what takes long is worth a word. */
const GROWING_MS = 1500

const LANES_MENU = <LanesMenu />

/** [U157] Commands for the timeline as a picture. Absent if pictures cannot be drawn. */
const PICTURE_COMMANDS = ['picture-copy', 'picture-svg', 'picture-png', 'pictures'] as const

function PictureItems() {
  return PICTURE_COMMANDS.flatMap((id) => commandOf(id) ?? []).map(({ id, what }) => (
    <MenuItem key={id} onClick={() => runCommand(id)}>
      <span className="menu-title">{what}</span>
    </MenuItem>
  ))
}

/** The timeline of the session in view, with the progress of a replay over it. */
export function TimelinePanel() {
  const replayed = useApp(replayedOf)
  const events = useApp((state) => valueOf(state.session.events))
  const infos = useApp((state) => valueOf(state.session.domains))
  const replay = useApp((state) => state.session.replay)
  const shown = useApp((state) => state.view.shown.lanes)
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
        <ContextMenu className="full-height" items={<PictureItems />}>
          <Timeline
            key={`${file} ${index}`}
            columns={replayed.columns}
            compare={replayed.compare}
            otherName={replayed.other?.name}
            flips={replayed.flips}
            domains={domains}
            kinds={kinds}
            lanes={LANES}
            shown={shown}
            menu={LANES_MENU}
            selected={selected}
            theme={theme}
            onSelect={selectTurn}
          />
        </ContextMenu>
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
