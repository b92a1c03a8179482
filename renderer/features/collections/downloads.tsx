import { startDownload } from './state.ts'
import { type Embedders, useProbe } from '../probe/store.ts'
import { Section } from '../../ui/bits.tsx'
import { bytes } from '../../ui/format.ts'
import { JobLine } from './job-line.tsx'

type Download = Embedders['downloads'][number]

/** Models that can be fetched. Nothing is fetched before somebody says so. */
export function Downloads({ downloads }: Pick<Embedders, 'downloads'>) {
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
    <li className="pdesk-row edge pad-9-12 stack gap-4 rounded one-column" aria-label={title}>
      <div className="pdesk-head row wrap">
        <strong>{title}</strong>
        <span className="quiet truncate" title={source}>
          {licence} · from {source}
        </span>
        <span className="grow" />
        <span className="quiet num">
          {have > 0 && have < size ? `${bytes(have)} of ` : ''}
          {bytes(size)}
        </span>
        <button
          type="button"
          className="button button-small"
          disabled={running || have >= size}
          onClick={() => startDownload(model)}
        >
          {wordOf(download)}
        </button>
      </div>
      <JobLine id={`download ${model}`} idle="Connecting" />
    </li>
  )
}
