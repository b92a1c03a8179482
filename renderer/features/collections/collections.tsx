import { useEffect } from 'react'
import { RestrictedNote } from '../../app/restricted-note.tsx'
import { Answered } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Check } from '../../ui/form.tsx'
import { bytes } from '../../ui/format.ts'
import { Section } from '../../ui/parts.tsx'
import { loadService } from '../../stores/probe/probe.ts'
import { AUTO_MOST } from '../../stores/probe/selectors.ts'
import { type Embedders, useProbe } from '../../stores/probe/store.ts'
import { CollectionList } from './collection-list.tsx'
import { EmbedderList } from './embedder-list.tsx'
import { JobLine, ServiceRow } from './job-line.tsx'
import { setSwitch, startDownload } from './state.ts'

/** Collections, embedders, models that can be fetched: all that the probe asks and is asked with. */
export function CollectionsDialog({ onClose }: { readonly onClose: () => void }) {
  const collections = useProbe((state) => state.collections)
  const embedders = useProbe((state) => state.embedders)
  useEffect(() => void loadService(), [])
  return (
    <Dialog title="Collections and embedders" className="modal-full" onClose={onClose}>
      <div className="collections-dialog fill scroll" tabIndex={-1}>
        <RestrictedNote />
        <Answered data={collections} failure="above">
          {(listed) => <CollectionList collections={listed} />}
        </Answered>
        <Switches />
        <Answered data={embedders} failure="above" waiting={null}>
          {(known) => (
            <>
              <EmbedderList known={known} />
              <Downloads downloads={known.downloads} />
            </>
          )}
        </Answered>
      </div>
    </Dialog>
  )
}

const SWITCHES = [
  {
    name: 'auto',
    words: 'Probe a session when it is opened',
    about: `up to ${AUTO_MOST} messages and never with an embedder outside this machine; all else waits for a click`,
  },
  {
    name: 'samples',
    words: 'Ask the sample collections about my sessions too',
    about:
      'they are fiction, to try the probe with: without this they answer for sample sessions only',
  },
] as const

function Switches() {
  const settings = useProbe((state) => state.settings)
  return (
    <Answered data={settings} failure="above" waiting={null}>
      {(known) =>
        SWITCHES.map(({ name, words, about }) => (
          <Check
            key={name}
            className="check-line"
            checked={known[name] ?? false}
            disabled={settings.status === 'loading'}
            onCheck={(on) => void setSwitch(name, on)}
          >
            {words}
            <span className="quiet">{about}</span>
          </Check>
        ))
      }
    </Answered>
  )
}

type Download = Embedders['downloads'][number]

/** Models that can be downloaded. A download starts only on request. */
function Downloads({ downloads }: Pick<Embedders, 'downloads'>) {
  if (downloads.length === 0) return null
  return (
    <Section title="Models to download" aside="nothing is fetched by itself">
      <ul className="stack">
        {downloads.map((download) => (
          <DownloadRow key={download.model} download={download} />
        ))}
      </ul>
    </Section>
  )
}

function wordOf({ bytes: size, have }: Download): string {
  if (have >= size) return 'Here'
  return have > 0 ? 'Resume' : 'Download'
}

function DownloadRow({ download }: { readonly download: Download }) {
  const { model, title, source, licence, bytes: size, have } = download
  const running = useProbe((state) => state.jobs.get(`download ${model}`)?.status === 'running')
  return (
    <ServiceRow
      name={title}
      title={title}
      facts={
        <span className="quiet truncate" title={source}>
          {licence} · from {source}
        </span>
      }
      actions={
        <>
          <span className="quiet num">
            {have > 0 && have < size ? `${bytes(have)} of ` : ''}
            {bytes(size)}
          </span>
          <Button small disabled={running || have >= size} onClick={() => startDownload(model)}>
            {wordOf(download)}
          </Button>
        </>
      }
    >
      <JobLine id={`download ${model}`} idle="Connecting" />
    </ServiceRow>
  )
}
