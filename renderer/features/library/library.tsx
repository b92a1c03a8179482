import {
  FilePlus2,
  FileUp,
  FlaskConical,
  FolderClosed,
  FolderPlus,
  History,
  Layers,
} from 'lucide-react'
import { useState } from 'react'
import { threadNote } from '../../../core/wire/thread-note.ts'
import { valueOf } from '../../app/async-data.ts'
import { runCommand } from '../../app/commands.ts'
import { aboutPage, isPage } from '../../app/api.ts'
import { forgetRecent, removeUpload } from '../../app/recent-files.ts'
import { openSource } from '../../app/open.ts'
import { startSession } from '../../app/replay.ts'
import { Slot } from '../../app/slot.tsx'
import { patchView } from '../../app/store.ts'
import { useApp } from '../../app/use-store.ts'
import { Button } from '../../ui/button.tsx'
import { ago, bytes, count, counted } from '../../ui/format.ts'
import { DomainStrip } from './domain-strip.tsx'
import { Entry, Group } from './entry.tsx'
import { removeFolder, showFolder } from './folders.ts'
import { Presets, Profiles } from './presets.tsx'
import { sessionTree } from '../../app/session-tree.ts'

/** Sidebar: the files to open, and the presets and profiles for their replay. */
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
            <Uploads />
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

/** [R14] Contents and omissions of this exported file. */
function AboutPage() {
  return (
    <section className="library-foot line-above pad-12" aria-label="About this page">
      {aboutPage().map((line) => (
        <p key={line} className="quiet text-xs mt-6">
          {line}
        </p>
      ))}
      <Slot name="PageFoot" />
    </section>
  )
}

/** Actions that need a machine behind the window. */
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

/** [I96] Files that the workspace keeps a copy of. */
function Uploads() {
  const uploads = useApp((state) => valueOf(state.document.library)?.uploads)
  const shown = useApp(({ document: { source } }) =>
    source?.kind === 'upload' ? source.upload : null,
  )
  const [now] = useState(() => Date.now())
  if (!uploads || uploads.length === 0) return null
  return (
    <Group title="Uploads">
      {uploads.map((file) => (
        <Entry
          key={file.upload}
          icon={FileUp}
          current={shown === file.upload}
          title={file.name}
          note={`${bytes(file.bytes)} · ${ago(file.usedAt, now)}`}
          onClick={() => openSource({ kind: 'upload', name: file.name, upload: file.upload })}
          removes={`Remove the upload ${file.name}`}
          onRemove={() => void removeUpload(file)}
        />
      ))}
    </Group>
  )
}
