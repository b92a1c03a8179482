import { useEffect } from 'react'
import { valueOf } from '../../app/async-data.ts'
import { loadDesk } from '../probe/probe.ts'
import { setAuto } from './state.ts'
import { AUTO_MOST } from '../probe/selectors.ts'
import { useProbe } from '../probe/store.ts'
import { Modal } from '../../ui/modal.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { InspectorSkeleton } from '../../app/inspector-skeleton.tsx'
import { CollectionList } from './collection-list.tsx'
import { Downloads } from './downloads.tsx'
import { EmbedderList } from './embedder-list.tsx'
import './collections.css'

/** Collections, embedders, models that can be fetched: all that the probe asks and is asked with. */
export function ProbeDesk({ onClose }: { readonly onClose: () => void }) {
  const collections = useProbe((state) => state.collections)
  const embedders = useProbe((state) => state.embedders)
  const listed = valueOf(collections)
  const known = valueOf(embedders)
  useEffect(() => void loadDesk(), [])
  return (
    <Modal title="Collections and embedders" className="modal-full" onClose={onClose}>
      <div className="pdesk fill scroll" tabIndex={-1}>
        {collections.status === 'failed' && <FailureNote failure={collections.failure} />}
        {listed ? <CollectionList collections={listed} /> : <InspectorSkeleton />}
        <AutoSwitch />
        {embedders.status === 'failed' && <FailureNote failure={embedders.failure} />}
        {known && <EmbedderList known={known} />}
        {known && <Downloads downloads={known.downloads} />}
      </div>
    </Modal>
  )
}

function AutoSwitch() {
  const settings = useProbe((state) => state.settings)
  const known = valueOf(settings)
  if (!known)
    return settings.status === 'failed' ? <FailureNote failure={settings.failure} /> : null
  return (
    <label className="check-line">
      <input
        type="checkbox"
        checked={known.auto}
        disabled={settings.status === 'loading'}
        onChange={(event) => void setAuto(event.target.checked)}
      />
      Probe a session when it is opened
      <span className="quiet">
        up to {AUTO_MOST} messages and never with an embedder outside this machine; all else waits
        for a click
      </span>
    </label>
  )
}
