import { FolderX } from 'lucide-react'
import { valueOf } from '../../app/async-data.ts'
import { useApp } from '../../app/use-store.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import type { Folder } from '../../app/folders-state.ts'
import { removeFolder, scanFolder } from './folders.ts'

/** The table before its index is here. */
export function TableSkeleton() {
  return (
    <div className="folder-table shrink-y grow relative" aria-hidden>
      {Array.from({ length: 8 }, (_, at) => (
        <div key={at} className="folder-bone line-below flex center-items pad-x-12">
          <i className="bone bone-long" />
        </div>
      ))}
    </div>
  )
}

/** Empty state of a folder without transcripts: lists the readable formats and the skipped files. */
export function FolderEmpty() {
  const formats = useApp((state) => valueOf(state.document.info)?.formats) ?? []
  const scan = useApp((state) => state.folders.scan)
  const skipped = scan.kind === 'done' ? Object.entries(scan.skipped) : []
  return (
    <div className="folder-empty stack gap-12 text-center">
      <h2 className="text-l">No transcript here</h2>
      <p>
        Turnscope looked at the content of every file in this folder and below. It knows these
        formats:
      </p>
      <p className="quiet">{formats.map(({ label }) => label).join(' · ')}</p>
      {skipped.length > 0 && (
        <ul className="quiet">
          {skipped.map(([reason, files]) => (
            <li key={reason}>
              {reason}: {files}
            </li>
          ))}
        </ul>
      )}
      <Button onClick={scanFolder}>Look again</Button>
    </div>
  )
}

export function FolderMissing({ folder }: { readonly folder: Folder }) {
  return (
    <Banner tone="warn" icon={FolderX}>
      <strong>This folder is not there.</strong> It was moved, or the disk is not mounted. What the
      index knows of it is still listed.{' '}
      <Button kind="link" onClick={() => void removeFolder(folder.path)}>
        Take it off the library
      </Button>
    </Banner>
  )
}
