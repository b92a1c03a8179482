import { Pressable } from '../ui/button.tsx'
import { bytes, count, counted, duration } from '../ui/format.ts'
import { Popover } from '../ui/popover.tsx'
import { valueOf } from './async-data.ts'
import { sourceName } from './source-name.ts'
import { openWords, readWords } from './read-words.ts'
import { selectedTurn } from './selectors.ts'
import { patchView } from './store.ts'
import { useApp } from './use-store.ts'
import { replayedOf } from './verdicts.ts'
import { shortName, titleOf } from '../ui/visible.ts'

const MODES = { desktop: 'desktop', serve: 'serve mode', page: 'exported page' } as const

/** Status line: the open session and the configuration of its replay. */
export function StatusBar() {
  const opened = useApp((state) => valueOf(state.document.opened))
  const info = useApp((state) => valueOf(state.document.info))
  const replayed = useApp(replayedOf)
  const turn = useApp(selectedTurn)
  const growing = useApp((state) => state.document.growth !== null)
  const replaying = useApp((state) => state.session.replay.status === 'loading')
  // [U61] Belongs to the replay on screen, even while another choice is being replayed.
  const domains = useApp(
    (state) => replayedOf(state)?.columns.config.domains ?? state.view.run.domains,
  )
  const pending = useApp((state) => state.document.pending)
  const isRestricted = useApp((state) => valueOf(state.document.trust)?.standing === 'restricted')
  return (
    <footer
      className="status row no-shrink text-xs quiet line-above nowrap gap-16 on-panel clip pad-x-12"
      aria-label="Status"
    >
      {opened ? (
        <>
          <span
            className="truncate status-name dim medium"
            title={titleOf(opened.path ?? opened.name)}
          >
            {shortName(opened.name)}
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
            <Pressable
              className="medium warn underlined"
              onClick={() => patchView({ dialog: 'problems' })}
            >
              {counted(opened.problems, 'unreadable line')}
            </Pressable>
          ) : (
            <span>{readWords(opened.complete, growing)}</span>
          )}
          <span className="grow" />
          {pending !== null && (
            <span className="truncate" role="status">
              {openWords('loading', shortName(sourceName(pending)))}
            </span>
          )}
          {replaying && <span role="status">replaying …</span>}
          {replayed && !replaying && (
            <span className="num" title="Time of the last replay on the host">
              replayed in {duration(replayed.elapsedMs)}
            </span>
          )}
          <span>domains {domains}</span>
        </>
      ) : (
        <>
          <NothingOpen />
          <span className="grow" />
        </>
      )}
      {isRestricted && (
        <Pressable
          className="medium warn underlined no-shrink"
          title="Something that the workspace names is off: see what"
          onClick={() => patchView({ dialog: 'trust' })}
        >
          Restricted
        </Pressable>
      )}
      {info && (
        <span className="truncate">
          {info.workspace} · {MODES[info.mode]} {info.version}
        </span>
      )}
      <span>
        <kbd>?</kbd> keys
      </span>
    </footer>
  )
}

function NothingOpen() {
  const status = useApp((state) => state.document.opened.status)
  const name = useApp(({ document }) => (document.source ? sourceName(document.source) : ''))
  return <span className="truncate">{openWords(status, shortName(name))}</span>
}

/** [U1] Facts about the file read: format, size, related files, records that are not shown. */
function FileFacts() {
  const opened = useApp((state) => valueOf(state.document.opened))
  if (!opened) return null
  const { files, skipped } = opened
  const left = Object.entries(skipped)
  return (
    <Popover
      className="brighten truncate"
      title="What was read"
      of="facts"
      heading={opened.name}
      side="top"
      align="start"
      shown={
        <>
          {opened.formatLabel} · {bytes(opened.bytes)}
          {files.length > 0 && ` · with ${counted(files.length, 'file')}`}
        </>
      }
    >
      <dl>
        <dt>format</dt>
        <dd>{opened.formatLabel}</dd>
        <dt>read</dt>
        <dd className="num">
          {bytes(opened.bytes)}, {counted(opened.lines, 'line')}
          {!opened.complete && ' so far'}
        </dd>
        <dt>sessions</dt>
        <dd className="num">{count(opened.sessions.length)}</dd>
        {files.length > 0 && (
          <>
            <dt>read with it</dt>
            <dd>
              <ul className="facts-files scroll mono">
                {files.map((file) => (
                  <li key={file}>{file}</li>
                ))}
              </ul>
            </dd>
          </>
        )}
        {left.length > 0 && (
          <>
            <dt>not shown</dt>
            <dd className="num">
              {left.map(([type, records]) => `${type} ${count(records)}`).join(', ')}
            </dd>
          </>
        )}
      </dl>
    </Popover>
  )
}
