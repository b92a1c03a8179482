import { Command } from 'cmdk'
import { Search } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Keys } from '../ui/bits.tsx'
import { Modal } from '../ui/modal.tsx'
import { isMac } from '../ui/platform.ts'
import { valueOf } from './async-data.ts'
import { isUsable, registry, runCommand } from './commands.ts'
import type { PaletteProps, Run } from './feature.ts'
import { keyLabels } from './keys.ts'
import { openSource } from './open.ts'
import { chooseCompare, chooseRun } from './replay.ts'
import { store } from './store.ts'
import { chooseTheme, THEMES } from './theme.ts'
import { useApp } from './use-store.ts'

interface Props {
  readonly onClose: () => void
}

/** One field for everything: commands, turns by number, text of the session, presets, samples. */
export function Palette({ onClose }: Props) {
  const [text, setText] = useState('')
  const run: Run = (action) => () => {
    onClose()
    action()
  }
  return (
    <Modal title="Search everything" className="palette" bare onClose={onClose}>
      <Command label="Search everything" loop>
        <div className="palette-field">
          <Search size={16} aria-hidden className="quiet" />
          <Command.Input
            value={text}
            onValueChange={setText}
            placeholder="A command, a turn number, or text in this session"
            autoFocus
          />
          <kbd>Esc</kbd>
        </div>
        <Command.List className="palette-list">
          <Command.Empty className="palette-empty">
            Nothing matches. Text of the session is found from two characters on.
          </Command.Empty>
          {registry.getState().palette.map((Entries, at) => (
            <Entries key={at} text={text} run={run} />
          ))}
        </Command.List>
      </Command>
    </Modal>
  )
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
      {listed.map(({ id, what, keys }) => (
        <Command.Item key={id} value={what} onSelect={run(() => runCommand(id))}>
          <span className="grow truncate">{what}</span>
          <Keys keys={keyLabels(keys.slice(0, 1), isMac)} />
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

export function Files({ run }: PaletteProps) {
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
