import { valueOf } from './async-data.ts'
import { selectedTurn } from './selectors.ts'
import { patchView } from './store.ts'
import { useApp } from './use-store.ts'
import { count, counted, duration } from '../ui/format.ts'
import { FileFacts } from './file-facts.tsx'
import { replayedOf } from './verdicts.ts'

/** One quiet line: what is open and how it was computed. */
export function StatusBar() {
  const opened = useApp((state) => valueOf(state.document.opened))
  const info = useApp((state) => valueOf(state.document.info))
  const replayed = useApp(replayedOf)
  const turn = useApp(selectedTurn)
  const domains = useApp((state) => state.view.run.domains)
  return (
    <footer
      className="status row no-shrink text-xs quiet line-above nowrap gap-16 on-panel clip pad-x-12"
      aria-label="Status"
    >
      {opened ? (
        <>
          <span className="truncate status-name dim medium" title={opened.path ?? opened.name}>
            {opened.name}
          </span>
          {replayed && (
            <span className="num">
              {turn === null ? '' : `turn ${count(turn + 1)} of `}
              {turn === null
                ? counted(replayed.columns.turns, 'turn')
                : count(replayed.columns.turns)}
            </span>
          )}
          <FileFacts />
          {opened.problems > 0 ? (
            <button
              type="button"
              className="medium warn underlined"
              onClick={() => patchView({ dialog: 'problems' })}
            >
              {counted(opened.problems, 'unreadable line')}
            </button>
          ) : (
            <span>every line read</span>
          )}
          <span className="grow" />
          {replayed && (
            <span className="num" title="Time of the last replay on the host">
              replayed in {duration(replayed.elapsedMs)}
            </span>
          )}
          <span>domains {domains}</span>
        </>
      ) : (
        <>
          <span>No session open</span>
          <span className="grow" />
        </>
      )}
      {info && (
        <span className="truncate">
          {info.workspace} · {info.mode === 'serve' ? 'serve mode' : 'desktop'} {info.version}
        </span>
      )}
      <span>
        <kbd>?</kbd> keys
      </span>
    </footer>
  )
}
