import { Command } from 'cmdk'
import { Search } from 'lucide-react'
import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { Dialog } from '../ui/dialog.tsx'
import { Keys } from '../ui/parts.tsx'
import { isMac } from '../ui/platform.ts'
import { valueOf } from './async-data.ts'
import { isUsable, registry, runCommand } from './commands.ts'
import type { PaletteProps, Run } from './feature.ts'
import { keyLabels } from './keys.ts'
import { openSource } from './open.ts'
import { pathIn } from './pasted-paths.ts'
import { removeUpload } from './recent-files.ts'
import { chooseCompare, chooseRun } from './replay.ts'
import { store } from './store.ts'
import { THEMES, chooseTheme } from './theme.ts'
import { useApp } from './use-store.ts'
import { Name } from '../ui/name.tsx'

interface Props {
  readonly onClose: () => void
}

/** One field for everything: commands, turns by number, text of the session, presets, samples. */
export function Palette({ onClose }: Props) {
  const [text, setText] = useState('')
  const { list, chosen, choose, watch } = useTopRow(text)
  const run: Run = (action) => () => {
    onClose()
    action()
  }
  return (
    <Dialog title="Search everything" className="palette" bare onClose={onClose}>
      <Command label="Search everything" loop value={chosen} onValueChange={choose} {...watch}>
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
        <Command.List ref={list} className="palette-list scroll">
          <Command.Empty className="palette-empty quiet text-center">
            Nothing matches. Text of the session is found from two characters on.
          </Command.Empty>
          {registry.getState().palette.map((Entries, at) => (
            <Entries key={at} text={text} run={run} />
          ))}
        </Command.List>
      </Command>
    </Dialog>
  )
}

/** Keys that choose a row in the palette; with Ctrl, letters do too. */
const MOVES = /^(?:Arrow(?:Up|Down)|Home|End)$/u

/**
 * [U225] The top row is chosen until the operator chooses another with arrow keys or pointer. Rows that arrive later,
 * such as search results, may become the top row. Enter runs the visible choice. Typing resets the choice.
 */
function useTopRow(text: string) {
  const list = useRef<HTMLDivElement>(null)
  const [chosen, choose] = useState('')
  /** The text for which the reader chose a row. */
  const movedFor = useRef<string | null>(null)
  useLayoutEffect(() => {
    const rows = list.current
    if (rows === null) return undefined
    const takeTop = () => {
      if (movedFor.current === text) return
      const top = rows.querySelector('[cmdk-item]:not([aria-disabled="true"])')
      choose(top?.getAttribute('data-value') ?? '')
    }
    // A microtask after each change: before the next key is handled.
    const observer = new MutationObserver(takeTop)
    observer.observe(rows, { childList: true, subtree: true })
    takeTop()
    return () => observer.disconnect()
  }, [text])
  const moved = () => {
    movedFor.current = text
  }
  const watch = {
    onKeyDown: ({ key, ctrlKey }: KeyboardEvent) => {
      if (MOVES.test(key) || ctrlKey) moved()
    },
    // A list that moves below a resting pointer is no choice.
    onPointerMove: ({ movementX, movementY }: PointerEvent) => {
      if (movementX !== 0 || movementY !== 0) moved()
    },
  }
  return { list, chosen, choose, watch }
}

function Group({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Command.Group heading={title} className="palette-group">
      {children}
    </Command.Group>
  )
}

export function Commands({ run }: PaletteProps) {
  const { commands } = registry.getState()
  const listed = commands.filter(
    (one) => one.id !== 'palette' && one.group !== 'Menu' && isUsable(one, store.getState()),
  )
  return (
    <Group title="Commands">
      {listed.map(({ id, what, keys, also = [] }) => (
        <Command.Item
          key={id}
          value={what}
          keywords={[...also]}
          onSelect={run(() => runCommand(id))}
        >
          <span className="grow truncate">{what}</span>
          <Keys keys={keyLabels(keys.slice(0, 1), isMac)} />
        </Command.Item>
      ))}
    </Group>
  )
}

/** [U60] The entry's label, its action, and further search words. Typing the label always finds the entry. */
type Item = readonly [says: string, act: () => void, more?: string]

function Items({ title, items, run }: { title: string; items: readonly Item[]; run: Run }) {
  return (
    <Group title={title}>
      {items.map(([says, act, more = '']) => (
        <Command.Item key={says + more} value={`${says} ${more}`} onSelect={run(act)}>
          <Name text={says} className="truncate" />
        </Command.Item>
      ))}
    </Group>
  )
}

export function Choices({ run }: PaletteProps) {
  const info = useApp((state) => valueOf(state.document.info))
  const opened = useApp((state) => state.document.opened.status === 'ready')
  const preset = useApp((state) => state.view.run.preset)
  const compare = useApp((state) => state.view.compare)
  const others = opened ? (info?.presets.filter(({ name }) => name !== preset) ?? []) : []
  const items: readonly Item[] = [
    ...others.map(({ name }): Item => [`Preset: ${name}`, () => chooseRun({ preset: name })]),
    ...others.map(({ name }): Item => [`Compare with ${name}`, () => chooseCompare(name)]),
    ...(compare ? [['Stop comparing', () => chooseCompare(null)] as const] : []),
    ...THEMES.map((one): Item => [`Theme: ${one}`, () => chooseTheme(one)]),
  ]
  return <Items title="Choose" items={items} run={run} />
}

export function Files({ text, run }: PaletteProps) {
  const path = pathIn(text)
  const library = useApp((state) => valueOf(state.document.library))
  const recent = library?.recent.filter(({ missing }) => !missing) ?? []
  const items: readonly Item[] = [
    // The typed text is also the search word, so the entry always matches.
    ...(path === null
      ? []
      : [[`Open ${path}`, () => openSource({ kind: 'path', path }), text] as const]),
    ...(library?.samples ?? []).map(({ id, title }): Item => [
      `Sample: ${title}`,
      () => openSource({ kind: 'sample', id }),
    ]),
    ...recent.map(({ path, name }): Item => [
      `Recent: ${name}`,
      () => openSource({ kind: 'path', path }),
      path,
    ]),
    ...(library?.uploads ?? []).flatMap((file): readonly Item[] => [
      [
        `Upload: ${file.name}`,
        () => openSource({ kind: 'upload', name: file.name, upload: file.upload }),
        file.upload,
      ],
      [`Remove upload: ${file.name}`, () => void removeUpload(file), `remove ${file.upload}`],
    ]),
  ]
  return <Items title="Open" items={items} run={run} />
}
