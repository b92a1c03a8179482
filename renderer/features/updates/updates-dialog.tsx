import { useEffect } from 'react'
import type { FoundUpdate, UpdateState } from '../../../core/wire/updates.ts'
import { Answered, FailureNote } from '../../ui/answered.tsx'
import { Button, CopyButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { bytes } from '../../ui/format.ts'
import { Block } from '../../ui/parts.tsx'
import { Bar, shareOf } from '../../ui/progress.tsx'
import { visible } from '../../ui/visible.ts'
import {
  cancelDownload,
  downloadUpdate,
  installUpdate,
  lookForUpdate,
  readUpdates,
  useUpdates,
} from './state.ts'

/** [U211] The version, a newer version if one exists, and each step as a question. */
export function UpdatesDialog({ onClose }: { readonly onClose: () => void }) {
  const state = useUpdates((now) => now.state)
  useEffect(readUpdates, [])
  return (
    <Dialog title="Updates" onClose={onClose}>
      <Answered data={state} failure="above">
        {(now) => (
          <div className="updates stack gap-12 pad-16">
            <p>
              This is version <strong>{visible(now.current)}</strong>.
            </p>
            {now.off === null ? <Steps state={now} /> : <p className="dim">{offWords(now.off)}</p>}
          </div>
        )}
      </Answered>
    </Dialog>
  )
}

const offWords = (off: string) => `It does not update itself: ${visible(off)}.`

function Steps({ state }: { readonly state: UpdateState }) {
  const isLooking = useUpdates((now) => now.isLooking)
  const failure = useUpdates((now) => now.failure)
  return (
    <>
      <p className="text-s dim">
        Nothing is asked for, downloaded or installed unless you say so. Looking asks{' '}
        <span className="mono break-words">{visible(state.address ?? '')}</span> for its list of
        versions and tells it nothing about you.
      </p>
      {state.looked && state.found === null && <p>There is nothing newer.</p>}
      {failure && <FailureNote failure={failure} />}
      {state.found === null ? (
        <div>
          <Button kind="primary" disabled={isLooking} onClick={() => void lookForUpdate()}>
            {isLooking ? 'Looking…' : 'Look for an update'}
          </Button>
        </div>
      ) : (
        <Found found={state.found} isHere={state.isHere} />
      )}
    </>
  )
}

interface FoundProps {
  readonly found: FoundUpdate
  readonly isHere: boolean
}

function Found({ found, isHere }: FoundProps) {
  const progress = useUpdates((now) => now.progress)
  return (
    <>
      <p>
        Version <strong>{visible(found.version)}</strong> is there
        {found.bytes === null ? '' : `, ${bytes(found.bytes)}`}.
      </p>
      {found.notes !== '' && (
        <Block label="Notes of the version" className="updates-notes">
          {visible(found.notes)}
        </Block>
      )}
      <p className="text-s dim">
        SHA-512 of {visible(found.file)} <CopyButton text={found.sha512} what="the SHA-512" />
      </p>
      <p className="updates-hash mono text-s">{found.sha512}</p>
      <div className="row wrap gap-8">
        {progress !== null && (
          <>
            <Bar label="Download" share={shareOf(progress)} />
            <Button onClick={cancelDownload}>Cancel</Button>
          </>
        )}
        {progress === null && !isHere && (
          <Button kind="primary" onClick={downloadUpdate}>
            Download it
          </Button>
        )}
        {isHere && (
          <Button kind="primary" onClick={() => void installUpdate()}>
            Install it and start again
          </Button>
        )}
      </div>
    </>
  )
}
