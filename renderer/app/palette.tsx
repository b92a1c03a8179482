import { Command } from 'cmdk'
import { Search } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { isUsable, runCommand, THEMES } from './commands.ts'
import { keyLabels, SHORTCUTS } from './keys.ts'
import { valueOf } from './async-data.ts'
import { chooseTheme } from './boot.ts'
import { searchSession } from '../features/find/find.ts'
import { openSource } from './open.ts'
import { chooseCompare, chooseRun } from './replay.ts'
import { ensureRows, rowAt } from '../features/turns/rows.ts'
import { selectSeq, selectTurn } from './select.ts'
import { replayedOf, verdictOf } from './verdicts.ts'
import { store } from './store.ts'
import { useApp } from './use-store.ts'
import { Keys } from '../ui/bits.tsx'
import { Domain } from '../ui/domain.tsx'
import { Modal } from '../ui/modal.tsx'
import { isMac } from '../ui/platform.ts'
import { KIND_LOOKS } from './event-kinds.ts'

interface Props {
  readonly onClose: () => void
}

/** One field for everything: commands, turns by number, text of the session, presets, samples. */
export function Palette({ onClose }: Props) {
  const [text, setText] = useState('')
  const run = (action: () => void) => () => {
    onClose()
    action()
  }
  return (
    <Modal title="Search everything" className="palette" bare onClose={onClose}>
      <Command label="Search everything" loop>
        <div className="palette-field row line-below">
          <Search size={16} aria-hidden className="quiet" />
          <Command.Input
            className="bare grow"
            value={text}
            onValueChange={setText}
            placeholder="A command, a turn number, or text in this session"
            autoFocus
          />
          <kbd>Esc</kbd>
        </div>
        <Command.List className="palette-list scroll">
          <Command.Empty className="palette-empty quiet text-center">
            Nothing matches. Text of the session is found from two characters on.
          </Command.Empty>
          <Turns text={text} run={run} />
          <TextHits text={text} run={run} />
          <Commands run={run} />
          <Choices run={run} />
          <Files run={run} />
        </Command.List>
      </Command>
    </Modal>
  )
}

type Run = (action: () => void) => () => void

function Group({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Command.Group heading={title} className="palette-group">
      {children}
    </Command.Group>
  )
}

function Turns({ text, run }: { readonly text: string; readonly run: Run }) {
  const turns = useApp((state) => valueOf(state.session.replay)?.columns.turns ?? 0)
  const turn = /^\d+$/u.test(text.trim()) ? Number(text) : 0
  if (turn < 1 || turn > turns) return null
  return (
    <Group title="Turn">
      <Command.Item value={`turn ${turn}`} onSelect={run(() => selectTurn(turn - 1))}>
        Go to turn {turn}
      </Command.Item>
    </Group>
  )
}

const MOST_HITS = 8

function TextHits({ text, run }: { readonly text: string; readonly run: Run }) {
  const [hits, setHits] = useState<{ text: string; seqs: readonly number[] }>({
    text: '',
    seqs: [],
  })
  useEffect(() => {
    if (text.trim().length < 2) return undefined
    const controller = new AbortController()
    const timer = setTimeout(() => {
      searchSession(quotedQuery(text), controller.signal)
        .then((answer) => {
          const seqs = (answer?.seqs ?? []).slice(0, MOST_HITS)
          for (const seq of seqs) ensureRows(seq, seq)
          setHits({ text, seqs })
        })
        .catch(() => undefined)
    }, 120)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [text])
  if (hits.text !== text || hits.seqs.length === 0) return null
  return (
    <Group title="In this session">
      {hits.seqs.map((seq) => (
        <TextHit key={seq} seq={seq} needle={text.trim()} run={run} />
      ))}
    </Group>
  )
}

function TextHit({
  seq,
  needle,
  run,
}: {
  readonly seq: number
  readonly needle: string
  readonly run: Run
}) {
  const row = useApp((state) => rowAt(state.session.windows, seq))
  const replayed = useApp(replayedOf)
  const verdict = replayed && verdictOf(replayed, seq)
  return (
    <Command.Item value={`event ${seq}`} keywords={[needle]} onSelect={run(() => selectSeq(seq))}>
      <span className="palette-number text-end num quiet">{verdict ? verdict.turn + 1 : ''}</span>
      <span className="palette-kind text-s quiet">{row ? KIND_LOOKS[row.kind].word : ''}</span>
      <span className="truncate grow">{row ? around(row.text, needle) : '…'}</span>
      {verdict && <Domain name={verdict.primary} />}
    </Command.Item>
  )
}

/** The palette looks for the text as it stands, not for a query. */
function quotedQuery(text: string): string {
  return `"${text.trim().replaceAll(/["\\]/gu, String.raw`\$&`)}"`
}

/** The text around the first occurrence, on one line. */
function around(text: string, needle: string): string {
  const at = text.toLowerCase().indexOf(needle.toLowerCase())
  const from = Math.max(0, at - 30)
  return (from > 0 ? '… ' : '') + text.slice(from, from + 160).replace(/\s+/gu, ' ')
}

function Commands({ run }: { readonly run: Run }) {
  return (
    <Group title="Commands">
      {SHORTCUTS.filter(
        ({ command, when }) => command !== 'palette' && isUsable(when, store.getState()),
      ).map(({ command, what, keys }) => (
        <Command.Item key={command} value={what} onSelect={run(() => runCommand(command))}>
          <span className="grow truncate">{what}</span>
          <Keys keys={keyLabels(keys.slice(0, 1), isMac)} />
        </Command.Item>
      ))}
    </Group>
  )
}

function Choices({ run }: { readonly run: Run }) {
  const info = useApp((state) => valueOf(state.document.info))
  const opened = useApp((state) => state.document.opened.status === 'ready')
  const preset = useApp((state) => state.view.run.preset)
  const compare = useApp((state) => state.view.compare)
  const others = opened ? (info?.presets.filter(({ name }) => name !== preset) ?? []) : []
  return (
    <Group title="Choose">
      {others.map(({ name }) => (
        <Command.Item
          key={`p ${name}`}
          value={`preset ${name}`}
          onSelect={run(() => chooseRun({ preset: name }))}
        >
          Preset: {name}
        </Command.Item>
      ))}
      {others.map(({ name }) => (
        <Command.Item
          key={`c ${name}`}
          value={`compare with ${name}`}
          onSelect={run(() => chooseCompare(name))}
        >
          Compare with {name}
        </Command.Item>
      ))}
      {compare && (
        <Command.Item value="stop comparing" onSelect={run(() => chooseCompare(null))}>
          Stop comparing
        </Command.Item>
      )}
      {THEMES.map((theme) => (
        <Command.Item key={theme} value={`theme ${theme}`} onSelect={run(() => chooseTheme(theme))}>
          Theme: {theme}
        </Command.Item>
      ))}
    </Group>
  )
}

function Files({ run }: { readonly run: Run }) {
  const library = useApp((state) => valueOf(state.document.library))
  return (
    <Group title="Open">
      {library?.samples.map((sample) => (
        <Command.Item
          key={sample.id}
          value={`sample ${sample.title}`}
          onSelect={run(() => openSource({ kind: 'sample', id: sample.id }))}
        >
          <span className="truncate">Sample: {sample.title}</span>
        </Command.Item>
      ))}
      {library?.recent
        .filter(({ missing }) => !missing)
        .map((file) => (
          <Command.Item
            key={file.path}
            value={`recent ${file.path}`}
            onSelect={run(() => openSource({ kind: 'path', path: file.path }))}
          >
            <span className="truncate">Recent: {file.name}</span>
          </Command.Item>
        ))}
    </Group>
  )
}
