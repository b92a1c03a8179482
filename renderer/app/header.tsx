import {
  Contrast,
  HelpCircle,
  Image,
  Monitor,
  Moon,
  PanelLeft,
  Search,
  SquarePen,
  Sun,
} from 'lucide-react'
import { threadNote } from '../../core/wire/thread-note.ts'
import { sessionTree } from './session-tree.ts'
import { Pressable } from '../ui/button.tsx'
import { counted } from '../ui/format.ts'
import { Chip, Keys } from '../ui/parts.tsx'
import { Picker } from '../ui/picker.tsx'
import { MenuItem } from '../ui/popover.tsx'
import { isMac } from '../ui/platform.ts'
import { valueOf } from './async-data.ts'
import { BrandMark } from './brand.tsx'
import { CommandButton } from './command-button.tsx'
import { commandOf, runCommand } from './commands.ts'
import { keyLabels } from './keys.ts'
import { isSameSource } from './offered-files.ts'
import { openSource } from './open.ts'
import { sourceName } from './source-name.ts'
import { startSession } from './replay.ts'
import { ComparePicker, DomainsPicker, PresetPicker, ProfilePicker } from './run-pickers.tsx'
import type { Theme } from './store.ts'
import { THEMES, chooseTheme } from './theme.ts'
import { useApp } from './use-store.ts'
import { Name } from '../ui/name.tsx'

const THEME_ICONS: Record<Theme, typeof Sun> = {
  system: Monitor,
  light: Sun,
  dark: Moon,
  contrast: Contrast,
}
const THEME_WORDS: Record<Theme, string> = {
  system: 'Like the system',
  light: 'Light',
  dark: 'Dark',
  contrast: 'High contrast',
}

export function Header() {
  const opened = useApp((state) => valueOf(state.document.opened))
  const inFolder = useApp((state) => state.folders.shown !== null)
  return (
    <header className="header row no-shrink line-below on-panel pad-x-12">
      <CommandButton command="library" icon={PanelLeft} className="header-library" />
      <div className="brand row no-shrink gap-9">
        <BrandMark />
        <span className="brand-name">Turnscope</span>
      </div>
      {(opened ?? inFolder) && (
        <>
          {!inFolder && <FilePicker />}
          {!inFolder && <SessionPicker />}
          <DomainsPicker />
          <PresetPicker />
          <ComparePicker />
          <ProfilePicker />
        </>
      )}
      <span className="grow" />
      <Pressable
        className="search-button edge shrink inline-row quiet rounded on-bg"
        title="Commands, turns, samples, text of the session"
        onClick={() => runCommand('palette')}
      >
        <Search size={14} aria-hidden />
        <span className="search-text truncate">Search everything</span>
        <Keys keys={keyLabels(['mod+k'], isMac)} />
      </Pressable>
      <CommandButton command="playground" icon={SquarePen} />
      <ThemePicker />
      <CommandButton command="help" icon={HelpCircle} />
    </header>
  )
}

/** [I97] Files that were chosen together. */
function FilePicker() {
  const files = useApp((state) => state.document.files)
  // [I98] A file that is being opened already counts as chosen. Any other choice, including the file on screen, is a
  // change.
  const source = useApp(({ document }) => document.pending ?? document.source)
  if (files.length < 2) return null
  const at = files.findIndex((file) => isSameSource(file.source, source))
  return (
    <Picker
      label="file"
      value={String(at)}
      shown={
        <span className="quiet num">
          {at < 0 ? counted(files.length, 'file') : `${at + 1} of ${files.length}`}
        </span>
      }
      options={files.map((file, index) => ({
        value: String(index),
        label: sourceName(file.source),
        note: file.failure?.what ?? '',
      }))}
      onChoose={(value) => {
        const chosen = files[Number(value)]
        if (chosen) openSource(chosen.source)
      }}
    />
  )
}

function SessionPicker() {
  const opened = useApp((state) => valueOf(state.document.opened))
  const index = useApp((state) => state.session.index)
  const turns = useApp((state) => valueOf(state.session.replay)?.columns.turns ?? null)
  const head = opened?.sessions[index]
  if (!opened || !head) return null
  const options = sessionTree(opened.sessions).map(({ head: session, depth }) => ({
    value: String(session.index),
    label: session.title || session.id,
    note: `${threadNote(session) ?? 'main thread'} · ${counted(session.events, 'event')}`,
    depth,
  }))
  return (
    <Picker
      label="session"
      className="picker-session"
      value={String(index)}
      shown={
        <>
          <strong className="truncate">
            <Name text={index === 0 ? opened.name : head.title || head.id} />
          </strong>
          {turns !== null && <span className="quiet num">{counted(turns, 'turn')}</span>}
        </>
      }
      options={options}
      onChoose={(value) => startSession(Number(value))}
      foot={
        commandOf('pictures') && (
          <MenuItem onClick={() => runCommand('pictures')}>
            <Image size={14} aria-hidden />
            <span className="menu-title">Pictures of this session …</span>
          </MenuItem>
        )
      }
    />
  )
}

function ThemePicker() {
  const theme = useApp((state) => state.view.theme)
  const Icon = THEME_ICONS[theme]
  return (
    <Picker
      label="theme"
      className="picker-icon"
      value={theme}
      shown={<Icon size={16} aria-label={THEME_WORDS[theme]} />}
      options={THEMES.map((name) => ({ value: name, label: THEME_WORDS[name] }))}
      onChoose={(value) => {
        const chosen = THEMES.find((name) => name === value)
        if (chosen) chooseTheme(chosen)
      }}
      foot={
        <p className="menu-foot">
          <Chip>t</Chip> goes through them
        </p>
      }
    />
  )
}
