import { GitCompare, History, Save, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { valueOf } from '../../app/async-data.ts'
import { Button, Pressable } from '../../ui/button.tsx'
import { ago, count, counted, duration } from '../../ui/format.ts'
import { Chip } from '../../ui/parts.tsx'
import { MenuButton, MenuItem } from '../../ui/popover.tsx'
import { openDock } from '../../app/dock.ts'
import { useSessionFlips } from '../../stores/flips/session-flips.ts'
import { isChanged, textChanged } from '../../stores/lab/sides.ts'
import { type LabState, patchLab, useLab } from '../../stores/lab/store.ts'
import {
  discardDraft,
  loadHistory,
  restoreDraft,
  saveDraft,
  setOption,
} from '../../stores/drafts/draft.ts'
import { failureWords } from './draft-words.ts'
import { showLine } from './editor-doc.ts'

/** State of the draft, its flips, and its actions. */
export function DraftBar() {
  const changed = useLab(isChanged)
  const typed = useLab(textChanged)
  const showDiff = useLab((state) => state.showDiff)
  const saving = useLab((state) => state.saving.status === 'loading')
  const file = useLab((state) => valueOf(state.file))
  return (
    <div className="draft-bar toolbar nowrap">
      <FileState />
      <FlipWords />
      <ProblemWords />
      <OptionChips />
      <span className="grow" />
      <Button
        small
        aria-pressed={showDiff}
        disabled={!typed && !showDiff}
        title="Show in the editor what differs from the saved file"
        onClick={() => patchLab({ showDiff: !showDiff })}
      >
        <GitCompare size={13} aria-hidden />
        <span className="draft-word">Changes</span>
      </Button>
      <HistoryMenu />
      <Button
        small
        disabled={!changed}
        title="Back to the file as saved; undo brings the draft back"
        onClick={discardDraft}
      >
        <Undo2 size={13} aria-hidden />
        <span className="draft-word">Discard</span>
      </Button>
      <Button
        kind="primary"
        small
        disabled={!typed || saving}
        title={file ? saveWords(file) : ''}
        onClick={() => void saveDraft()}
      >
        <Save size={13} aria-hidden />
        {file && !file.writable ? 'Save a copy' : 'Save'}
      </Button>
    </div>
  )
}

function saveWords({ file, writable }: { readonly file: string; readonly writable: boolean }) {
  return writable
    ? `Writes ${file}, comments and order kept (Ctrl S)`
    : `${file} ships with Turnscope: a copy is written into the workspace (Ctrl S)`
}

function FileState() {
  const file = useLab((state) => valueOf(state.file))
  const typed = useLab(textChanged)
  const saved = useLab((state) => valueOf(state.saving))
  if (!file) return <span className="quiet">Loading the domain file …</span>
  return (
    <span className="draft-file shrink inline-row">
      <code className="truncate" title={file.file}>
        {file.file}
      </code>
      {typed ? (
        <Chip tone="warn" title="Typed here, not written to the file">
          ● unsaved
        </Chip>
      ) : saved ? (
        <Chip tone="good" title={`Written to ${saved.file}`}>
          ✓ saved, {counted(saved.lines, 'line')} added or removed
        </Chip>
      ) : (
        <Chip>as saved</Chip>
      )}
    </span>
  )
}

/**
 * [T50] `17 of 2,410 turns flip: 12 direct, 5 by momentum · 3 fixed, 1 broken`; [L106] while not all turns
 * are compared, `So far 9 of the first 800 of 2,410 turns flip`.
 */
function FlipWords() {
  const data = useLab((state) => state.flips)
  const changed = useLab(isChanged)
  const report = valueOf(data)
  if (!changed) return null
  if (!report) return <SessionWords />
  const { total, turns, direct, momentum, fixed, broken, elapsed, soFar } = report
  const ms = elapsed.compile + elapsed.scan + elapsed.fold + elapsed.diff
  return (
    <Pressable
      className="flip-words rounded num"
      aria-live="polite"
      data-flips={total}
      aria-busy={soFar !== null}
      title={
        soFar !== null
          ? 'The rest is still compared. Show the flips (i)'
          : `Computed in ${duration(ms)} · ${counted(report.scanned, 'signal')} scanned again. Show the flips (i)`
      }
      onClick={() => openDock('flips')}
    >
      {total === 0 ? (
        `No turn of ${count(turns)} flips`
      ) : (
        <>
          {soFar !== null && 'So far '}
          <strong>{count(total)}</strong> of{' '}
          {soFar === null ? count(turns) : `the first ${count(soFar)} of ${count(turns)}`} turns
          flip: {count(direct)} direct, {count(momentum)} by momentum
        </>
      )}
      {report.after && total > 0 && (
        <>
          {' · '}
          <span className="good">{count(fixed)} fixed</span>,{' '}
          <span className="bad">{count(broken)} broken</span>
        </>
      )}
    </Pressable>
  )
}

/** [T77] Of the session in view alone, until the corpus has an answer. */
function SessionWords() {
  const { data } = useSessionFlips().asked
  const failed = useLab((state) =>
    data.status === 'failed' ? failureWords(state, data.failure.what) : null,
  )
  if (failed !== null) return <Chip tone="bad">{failed}</Chip>
  if (data.status === 'failed') return null
  const diff = valueOf(data)?.diff
  if (!diff) return null
  return (
    <Pressable
      className="flip-words rounded num"
      aria-live="polite"
      title="Of the session in view; the corpus comes next. Show the flips (i)"
      onClick={() => openDock('flips')}
    >
      <strong>{count(diff.total)}</strong> of {count(diff.turns)} turns of this session flip
    </Pressable>
  )
}

/** Omits remarks (info), which the editor and the Lab tab show. Only problems of the draft appear here. */
function worst({ problems }: LabState) {
  return (
    problems.find(({ severity }) => severity === 'error') ??
    problems.find(({ severity }) => severity === 'warning') ??
    null
  )
}

function serious({ problems }: LabState): number {
  return problems.filter(({ severity }) => severity !== 'info').length
}

/** The first problem, a click goes to its line. */
function ProblemWords() {
  const first = useLab(worst)
  const total = useLab(serious)
  if (!first) return null
  const tone = first.severity === 'error' ? 'bad' : 'warn'
  return (
    <Pressable
      className="draft-problem shrink clip"
      title={`${first.what}. ${first.do}`}
      onClick={() => showLine(first.line)}
    >
      <Chip tone={tone}>
        <span className="truncate">
          line {count(first.line)}: {first.what}
        </span>
        {total > 1 && <span> · {count(total - 1)} more</span>}
      </Chip>
    </Pressable>
  )
}

/** Options that are tried out: they are not part of the domain file, so saving it leaves them alone. */
function OptionChips() {
  const options = useLab((state) => state.options)
  const names = Object.keys(options) as Array<keyof typeof options> // keys of this very object
  return names.map((name) => (
    <Pressable
      key={name}
      title={`Tried out, not saved: ${name} is an option of the preset. Click: as the preset says`}
      onClick={() => setOption(name, undefined)}
    >
      <Chip tone="accent">
        {name} = {JSON.stringify(options[name])} ✕
      </Chip>
    </Pressable>
  ))
}

/** Drafts of other days: put back by a click, taken back by undo. */
function HistoryMenu() {
  const history = useLab((state) => state.history)
  const drafts = valueOf(history) ?? []
  const [opened, setOpened] = useState(0)
  return (
    <MenuButton
      className="button button-small"
      title="Earlier drafts and saves"
      side="top"
      onOpen={() => {
        setOpened(Date.now())
        loadHistory()
      }}
      shown={
        <>
          <History size={13} aria-hidden />
          <span className="draft-word">History</span>
        </>
      }
    >
      {drafts.length === 0 && (
        <p className="menu-foot">
          {history.status === 'loading' ? 'Loading …' : 'No draft was kept yet.'}
        </p>
      )}
      {drafts.map(({ id, at, saved, added, removed }) => (
        <MenuItem key={id} onClick={() => void restoreDraft(id)}>
          <span className="grow">{ago(at, opened)}</span>
          <span className="num good">+{count(added)}</span>
          <span className="num bad">−{count(removed)}</span>
          <Chip tone={saved ? 'good' : 'plain'}>{saved ? 'saved' : 'draft'}</Chip>
        </MenuItem>
      ))}
    </MenuButton>
  )
}
