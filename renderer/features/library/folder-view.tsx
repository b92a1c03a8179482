import { ArrowLeft, FolderMinus, FolderTree, Image, RefreshCw } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { valueOf } from '../../app/async-data.ts'
import { commandOf, runCommand } from '../../app/commands.ts'
import { Slot } from '../../app/slot.tsx'
import { patchFolders } from '../../app/store.ts'
import { useApp } from '../../app/use-store.ts'
import { Answered, FailureNote } from '../../ui/answered.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Input } from '../../ui/form.tsx'
import { counted } from '../../ui/format.ts'
import { Chip } from '../../ui/parts.tsx'
import { WorkLine } from '../../ui/progress.tsx'
import { tableRows } from './folder-rows.ts'
import { FolderEmpty, FolderMissing, TableSkeleton } from './folder-states.tsx'
import { FolderTable } from './folder-table.tsx'
import type { Folder } from '../../app/folders-state.ts'
import { closeFolder } from '../../app/folder-in-view.ts'
import { cancelScan, removeFolder, scanFolder } from './folders.ts'
import { shortName, titleOf } from '../../ui/visible.ts'

/** A folder of transcripts that covers the session: a table of its files, with the results of replays. */
export function FolderView({ path }: { readonly path: string }) {
  const folder = useApp((state) => valueOf(state.folders.list)?.find((one) => one.path === path))
  return (
    <section className="folder column full-height on-bg" aria-label="Library folder">
      <FolderHead path={path} folder={folder ?? null} />
      <FolderTools path={path} />
      <ScanLine />
      {folder?.missing && <FolderMissing folder={folder} />}
      <div className="folder-body fill flex">
        <Slot name="FolderSide" path={path} />
        <FolderContent />
      </div>
    </section>
  )
}

function FolderHead({ path, folder }: { readonly path: string; readonly folder: Folder | null }) {
  const hasSession = useApp((state) => state.document.source !== null)
  const scanning = useApp((state) => state.folders.scan.kind === 'running')
  return (
    <header className="folder-head row no-shrink line-below gap-12 on-panel pad-12">
      <Button small title="Back (Esc)" onClick={closeFolder}>
        <ArrowLeft size={14} aria-hidden />
        {hasSession ? 'Back to the session' : 'Back'}
      </Button>
      <div className="folder-title shrink">
        <h1 className="truncate">{shortName(folder?.name ?? path)}</h1>
        <p className="mono text-xs quiet truncate" title={titleOf(path)}>
          {shortName(path)}
        </p>
      </div>
      <span className="grow" />
      {commandOf('folder-picture') && (
        <Button
          small
          title="Small multiples of the sessions in this folder, with their flips"
          onClick={() => runCommand('folder-picture')}
        >
          <Image size={13} aria-hidden />
          Picture
        </Button>
      )}
      <Button small disabled={scanning} title="Look for new and changed files" onClick={scanFolder}>
        <RefreshCw size={13} aria-hidden />
        Look again
      </Button>
      <IconButton
        icon={FolderMinus}
        size={15}
        name="Take this folder off the library"
        title="Take this folder off the library; its files stay where they are"
        onClick={() => void removeFolder(path)}
      />
    </header>
  )
}

function FolderTools({ path }: { readonly path: string }) {
  const filter = useApp((state) => state.folders.filter)
  const grouped = useApp((state) => state.folders.grouped)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { target } = event
      const inField = target instanceof HTMLElement && target.closest('input, textarea') !== null
      if (event.key !== '/' || inField || document.querySelector('[role="dialog"]')) return
      event.preventDefault()
      input.current?.focus()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  return (
    <div className="row no-shrink line-below on-panel pad-8-12">
      <Input
        className="folder-filter"
        ref={input}
        value={filter}
        placeholder="Filter: title, name, format, domain  /"
        aria-label="Filter the table"
        onKeyDown={(event) => {
          if (event.key === 'Escape' && filter !== '') {
            event.stopPropagation()
            patchFolders({ filter: '' })
          }
        }}
        onText={(text) => patchFolders({ filter: text })}
      />
      <Slot name="FolderTool" path={path} />
      <span className="grow" />
      <ScanState />
      <IconButton
        icon={FolderTree}
        size={15}
        name="Group by folder"
        aria-pressed={grouped}
        onClick={() => patchFolders({ grouped: !grouped })}
      />
    </div>
  )
}

/** State of the table: being scanned, complete, or outdated. */
function ScanState() {
  const scan = useApp((state) => state.folders.scan)
  if (scan.kind === 'stale')
    return <Chip tone="warn">may be out of date: the scan is incomplete</Chip>
  if (scan.kind !== 'done') return null
  const skipped = Object.entries(scan.skipped).filter(([, files]) => files > 0)
  return (
    <span
      className="quiet num folder-count no-shrink text-s"
      title={skipped.map(([reason, files]) => `${reason}: ${files}`).join('\n')}
    >
      {counted(scan.files, 'transcript')}
      {scan.failed > 0 && `, ${scan.failed} failed`}
      {skipped.length > 0 &&
        `, ${counted(
          skipped.reduce((sum, [, files]) => sum + files, 0),
          'other file',
        )} left out`}
    </span>
  )
}

function ScanLine() {
  const scan = useApp((state) => state.folders.scan)
  if (scan.kind === 'failed') return <FailureNote failure={scan.failure} />
  if (scan.kind !== 'running') return null
  return (
    <div className="growth">
      <WorkLine work={scan.work} idle="Looking through the folder" onCancel={cancelScan} />
    </div>
  )
}

function FolderContent() {
  const entries = useApp((state) => state.folders.entries)
  const filter = useApp((state) => state.folders.filter)
  const sort = useApp((state) => state.folders.sort)
  const grouped = useApp((state) => state.folders.grouped)
  const scan = useApp((state) => state.folders.scan.kind)
  return (
    <Answered data={entries} waiting={<TableSkeleton />}>
      {(value) => {
        if (value.size > 0)
          return (
            <FolderTable
              rows={tableRows(value, filter, sort, grouped)}
              entries={value}
              filter={filter}
            />
          )
        return scan === 'running' || scan === 'never' ? <TableSkeleton /> : <FolderEmpty />
      }}
    </Answered>
  )
}
