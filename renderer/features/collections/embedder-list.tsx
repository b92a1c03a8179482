import { Button } from '../../ui/button.tsx'
import { Chip, Section, type Tone } from '../../ui/parts.tsx'
import { type Embedder, type Embedders, useProbe } from '../../stores/probe/store.ts'
import { AddEmbedder } from './add-embedder.tsx'
import { JobLine, ServiceRow } from './job-line.tsx'
import { chooseEmbedder, removeEmbedder, startMeasure } from './state.ts'

const KIND_WORDS: Readonly<Record<Embedder['kind'], string>> = {
  shipped: 'comes with Turnscope',
  folder: 'from a folder',
  download: 'downloaded',
  ollama: 'Ollama',
  openai: 'OpenAI-compatible',
}

const STATES: Readonly<Record<Embedder['state'], { readonly word: string; readonly tone: Tone }>> =
  {
    ready: { word: 'loaded', tone: 'good' },
    not_loaded: { word: 'loads when it is asked', tone: 'plain' },
    missing: { word: 'not there', tone: 'warn' },
    failed: { word: 'failed', tone: 'bad' },
    restricted: { word: 'restricted', tone: 'warn' },
  }

/** [D56] Embedders by name; one is in use, and what leaves the machine is said. */
export function EmbedderList({ known }: { readonly known: Embedders }) {
  return (
    <Section title="Embedders" aside="one is in use">
      <ul className="stack">
        {known.embedders.map((embedder) => (
          <EmbedderRow
            key={embedder.name}
            embedder={embedder}
            inUse={embedder.name === known.current}
          />
        ))}
      </ul>
      <AddEmbedder />
    </Section>
  )
}

interface RowProps {
  readonly embedder: Embedder
  readonly inUse: boolean
}

function EmbedderRow({ embedder, inUse }: RowProps) {
  const { name, title, kind, dimensions, state, problem, remote, measured, threshold } = embedder
  const look = STATES[state]
  return (
    <ServiceRow
      name={title}
      title={title}
      facts={
        <>
          <span className="quiet">{KIND_WORDS[kind]}</span>
          {inUse && <Chip tone="accent">in use</Chip>}
          <Chip tone={look.tone}>{look.word}</Chip>
          {remote && (
            <Chip
              tone="warn"
              title="Messages that are probed and documents that are indexed are sent there"
            >
              texts leave this machine
            </Chip>
          )}
        </>
      }
      actions={<Actions embedder={embedder} inUse={inUse} />}
    >
      <p className="num collections-dialog-facts wrap text-s dim flex">
        {dimensions !== null && <span>{dimensions} dimensions</span>}
        <span>
          {threshold === null
            ? 'no threshold measured: 0.40 of the document is assumed'
            : `threshold ${threshold.toFixed(2)}`}
        </span>
        {measured !== null && <span className="quiet">{measured}</span>}
      </p>
      {problem !== null && (
        <p
          className={`${look.tone === 'bad' ? 'bad ' : ''}collections-dialog-note text-s`}
          role="note"
        >
          {problem}
        </p>
      )}
      <JobLine id={`measure ${name}`} idle="Measuring" />
    </ServiceRow>
  )
}

function Actions({ embedder, inUse }: RowProps) {
  const { name, kind, title } = embedder
  const measuring = useProbe((state) => state.jobs.get(`measure ${name}`)?.status === 'running')
  return (
    <span
      className="inline-row text-s gap-6"
      role="group"
      aria-label={`What can be done with ${title}`}
    >
      {!inUse && (
        <Button
          small
          title="Collections of another embedder have to be indexed again"
          onClick={() => void chooseEmbedder(name)}
        >
          Use
        </Button>
      )}
      <Button
        small
        disabled={measuring}
        title="Over the shipped collections and their labelled queries (L29)"
        onClick={() => startMeasure(name)}
      >
        Measure the threshold
      </Button>
      {kind !== 'shipped' && !inUse && (
        <Button small onClick={() => void removeEmbedder(name)}>
          Remove
        </Button>
      )}
    </span>
  )
}
