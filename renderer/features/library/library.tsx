import {
  type LucideIcon,
  FilePlus2,
  FlaskConical,
  FolderClosed,
  FolderPlus,
  History,
  Layers,
  X,
} from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { threadNote } from '../../../core/wire/thread-note.ts'
import { valueOf } from '../../app/async-data.ts'
import { runCommand } from '../../app/commands.ts'
import { gateOf } from '../../app/gate.ts'
import { aboutPage, isPage } from '../../app/api.ts'
import { forgetRecent, openSource } from '../../app/open.ts'
import { defaultFirst } from '../../app/preset-order.ts'
import { chooseRun, startSession } from '../../app/replay.ts'
import { patchView } from '../../app/store.ts'
import { useApp } from '../../app/use-store.ts'
import { Button, IconButton, Pressable } from '../../ui/button.tsx'
import { ago, count, counted } from '../../ui/format.ts'
import { Chip } from '../../ui/parts.tsx'
import { SavePage } from '../export/save-page.tsx'
import { DomainStrip } from './domain-strip.tsx'
import { removeFolder, showFolder } from './folders.ts'
import { sessionTree } from './session-tree.ts'
import { Name } from '../../ui/name.tsx'
import { titleOf } from '../../ui/visible.ts'

/** What can be opened and what it can be replayed with. */
export function Library() {
  // [U173] The first screen has the samples in its middle, and nothing to replay with presets.
  const isFirst = useApp(
    ({ document: { opened }, folders, view }) =>
      opened.status === 'idle' && folders.shown === null && view.results === null,
  )
  return (
    <nav className="library column no-shrink on-panel line-end" aria-label="Library">
      <div className="fill scroll pad-y-8">
        <OpenSessions />
        {!isPage() && (
          <>
            <Folders />
            <Recent />
            {!isFirst && <Samples />}
          </>
        )}
        {!isFirst && <Presets />}
        {!isFirst && <Profiles />}
      </div>
      {isPage() ? <AboutPage /> : !isFirst && <Foot />}
    </nav>
  )
}

/** [R14] What this file holds and what was left out of it. */
function AboutPage() {
  return (
    <section className="library-foot line-above pad-12" aria-label="About this page">
      {aboutPage().map((line) => (
        <p key={line} className="quiet text-xs mt-6">
          {line}
        </p>
      ))}
      <SavePage />
    </section>
  )
}

/** What needs a machine behind the window. */
function Foot() {
  return (
    <div className="library-foot line-above pad-12">
      <Button className="button-wide button-plain" onClick={() => patchView({ dialog: 'bundle' })}>
        <Layers size={15} aria-hidden />
        Build a bundle…
        <kbd>u</kbd>
      </Button>
      <Button className="button-wide" onClick={() => runCommand('open-file')}>
        <FilePlus2 size={15} aria-hidden />
        Open a transcript
        <kbd>o</kbd>
      </Button>
      <p className="quiet library-hint mt-6 text-xs text-center">or drop one anywhere</p>
    </div>
  )
}

function Group({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="library-group" aria-label={title}>
      <h2 className="headline">{title}</h2>
      <ul>{children}</ul>
    </section>
  )
}

interface EntryProps {
  readonly current?: boolean
  readonly onClick: () => void
  readonly icon?: LucideIcon
  readonly title: string
  readonly note?: string | undefined
  readonly aside?: ReactNode
  readonly depth?: number
  readonly disabled?: boolean
  readonly children?: ReactNode
  /** What its cross does, in words; without it there is none. */
  readonly removes?: string
  readonly onRemove?: () => void
}

function Entry({ title, note, aside, icon: Icon, onClick, depth = 0, ...rest }: EntryProps) {
  return (
    <li className={rest.removes === undefined ? undefined : 'entry-row relative'}>
      <Pressable
        className="entry full-width rounded chosen"
        aria-current={rest.current ? 'true' : undefined}
        disabled={rest.disabled ?? false}
        title={titleOf(note === undefined ? title : `${title}\n${note}`)}
        style={{ '--depth': depth }}
        onClick={onClick}
      >
        <span className="entry-line row gap-7">
          {Icon && <Icon size={14} aria-hidden className="no-shrink quiet" />}
          <Name text={title} bare className="entry-title truncate" />
          {aside}
        </span>
        {note !== undefined && (
          <Name text={note} bare className="entry-note clamp text-xs quiet break-words" />
        )}
        {rest.children}
      </Pressable>
      {rest.removes !== undefined && (
        <IconButton
          icon={X}
          size={13}
          name={rest.removes}
          className="entry-remove on-panel2"
          onClick={rest.onRemove}
        />
      )}
    </li>
  )
}

function OpenSessions() {
  const opened = useApp((state) => valueOf(state.document.opened))
  const index = useApp((state) => state.session.index)
  const turns = useApp((state) => valueOf(state.session.replay)?.columns.turns)
  if (!opened || opened.sessions.length === 0) return null
  return (
    <Group title="Opened">
      {sessionTree(opened.sessions).map(({ head, depth }) => {
        const current = head.index === index
        const title =
          depth === 0 && opened.sessions.length === 1 ? opened.name : head.title || head.id
        return (
          <Entry
            key={head.index}
            current={current}
            title={title}
            depth={depth}
            note={threadNote(head) ?? undefined}
            aside={
              <span className="quiet num text-xs" title={counted(head.events, 'event')}>
                {current && turns !== undefined ? counted(turns, 'turn') : count(head.events)}
              </span>
            }
            onClick={() => {
              if (!current) startSession(head.index)
            }}
          >
            {current && <DomainStrip />}
          </Entry>
        )
      })}
    </Group>
  )
}

function Folders() {
  const folders = useApp((state) => valueOf(state.folders.list))
  const shown = useApp((state) => state.folders.shown)
  return (
    <Group title="Folders">
      {folders?.map((folder) => (
        <Entry
          key={folder.path}
          icon={FolderClosed}
          current={folder.path === shown}
          title={folder.name}
          note={folder.missing ? 'not there now' : folder.path}
          aside={
            <span className="quiet num text-xs">{folder.files > 0 ? count(folder.files) : ''}</span>
          }
          onClick={() => void showFolder(folder.path)}
          removes={`Take ${folder.name} off the library`}
          onRemove={() => void removeFolder(folder.path)}
        />
      ))}
      <Entry
        icon={FolderPlus}
        title="Add a folder"
        aside={<kbd>a</kbd>}
        onClick={() => runCommand('add-folder')}
      />
    </Group>
  )
}

function Samples() {
  const samples = useApp((state) => valueOf(state.document.library)?.samples)
  const source = useApp((state) => state.document.source)
  if (!samples || samples.length === 0) return null
  return (
    <Group title="Samples">
      {samples.map((sample) => (
        <Entry
          key={sample.id}
          icon={FlaskConical}
          current={source?.kind === 'sample' && source.id === sample.id}
          title={sample.title}
          note={sample.about}
          onClick={() => openSource({ kind: 'sample', id: sample.id })}
        />
      ))}
    </Group>
  )
}

function Recent() {
  const recent = useApp((state) => valueOf(state.document.library)?.recent)
  const path = useApp(({ document: { source } }) => (source?.kind === 'path' ? source.path : null))
  const results = useApp((state) => state.view.results)
  const [now] = useState(() => Date.now())
  if (!recent || recent.length === 0) return null
  return (
    <Group title="Recent">
      {recent.map((file) => (
        <Entry
          key={file.path}
          icon={History}
          current={(results ?? path) === file.path}
          title={file.name}
          note={`${file.missing ? 'no longer there' : file.format} · ${ago(file.openedAt, now)}`}
          aside={
            <span className="quiet num text-xs">{file.turns > 0 ? count(file.turns) : ''}</span>
          }
          disabled={file.missing}
          onClick={() => openSource({ kind: 'path', path: file.path })}
          removes={`Forget ${file.name}`}
          onRemove={() => void forgetRecent(file.path)}
        />
      ))}
    </Group>
  )
}

function Presets() {
  const info = useApp((state) => valueOf(state.document.info))
  const preset = useApp((state) => state.view.run.preset)
  if (!info) return null
  return (
    <Group title="Presets">
      {defaultFirst(info.presets).map(({ name, help, differs }) => (
        <Entry
          key={name}
          current={name === preset}
          title={name}
          note={
            differs.length === 0
              ? help
              : differs.map(({ option, value }) => `${option} ${value}`).join(' · ')
          }
          aside={
            differs.length > 0 ? (
              <span className="quiet num text-xs">{counted(differs.length, 'change')}</span>
            ) : (
              <span className="quiet text-xs">default</span>
            )
          }
          onClick={() => chooseRun({ preset: name })}
        />
      ))}
    </Group>
  )
}

function Profiles() {
  const profiles = useApp((state) => valueOf(state.document.info)?.profiles)
  const chosen = useApp((state) => state.view.run.profile)
  if (!profiles || profiles.length === 0) return null
  return (
    <Group title="Model profiles">
      {profiles.map((profile) => {
        const gate = gateOf(profile)
        const current = profile.name === chosen
        return (
          <Entry
            key={profile.name}
            current={current}
            title={profile.name}
            note={gate.broken ? gate.sentence : undefined}
            aside={<Chip tone={gate.tone}>{gate.pill}</Chip>}
            onClick={() => chooseRun({ profile: current ? null : profile.name })}
          />
        )
      })}
    </Group>
  )
}
