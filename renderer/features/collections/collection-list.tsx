import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { ago, bytes, count, counted } from '../../ui/format.ts'
import { Chip, Section } from '../../ui/parts.tsx'
import { type Words, told } from '../../ui/words.ts'
import { CollectionName } from '../../views/probe/collection-name.tsx'
import { type Collection, useProbe } from '../../stores/probe/store.ts'
import { JobLine, ServiceRow } from './job-line.tsx'
import { NewCollection } from './new-collection.tsx'
import { removeIndex, startIndex } from './state.ts'
import { shortName } from '../../ui/visible.ts'

/** [D56] Every state names its problem and the remedy; '' if it has no problem. */
const STATE_LOOKS: Words<Collection['state']> = {
  ready: told('ready', '', 'good'),
  empty: told('not indexed', 'Index it to have it probed.', 'warn'),
  stale: told('documents changed', 'Documents changed since it was indexed: update it.', 'warn'),
  other_embedder: told(
    'another embedder',
    'Its vectors are of another embedder: index it again, or go back to that one.',
    'warn',
  ),
  damaged: told(
    'damaged',
    'The store is damaged: rebuild it from its documents, which are untouched.',
    'bad',
  ),
  failed: told('failed', 'It could not be opened.', 'bad'),
  restricted: told('restricted', 'You have not trusted this workspace with its store.', 'warn'),
}

export function CollectionList({ collections }: { readonly collections: readonly Collection[] }) {
  return (
    <Section title="Collections" aside={counted(collections.length, 'collection')}>
      {collections.length === 0 && (
        <p>
          None yet: a collection is a folder of documents, or several, that messages are probed
          against.
        </p>
      )}
      <ul className="stack">
        {collections.map((collection) => (
          <CollectionRow key={collection.name} collection={collection} />
        ))}
      </ul>
      <IndexAll collections={collections} />
      <NewCollection />
    </Section>
  )
}

/** One button for a fresh start: everything that is not indexed yet. */
function IndexAll({ collections }: { readonly collections: readonly Collection[] }) {
  const jobs = useProbe((state) => state.jobs)
  const waiting = collections.filter(
    ({ name, state }) => state === 'empty' && jobs.get(`index ${name}`)?.status !== 'running',
  )
  if (waiting.length < 2) return null
  return (
    <p className="collections-dialog-all">
      <Button
        kind="primary"
        onClick={() => {
          for (const { name } of waiting) startIndex(name, { rebuild: false })
        }}
      >
        Index all {count(waiting.length)}
      </Button>
    </p>
  )
}

function CollectionRow({ collection }: { readonly collection: Collection }) {
  const { name, title, state, problem, persona } = collection
  const look = STATE_LOOKS[state]
  const running = useProbe((all) => all.jobs.get(`index ${name}`)?.status === 'running')
  return (
    <ServiceRow
      name={name}
      title={<CollectionName name={name} />}
      facts={
        <>
          <span className="quiet truncate">{title === name ? '' : shortName(title)}</span>
          <Chip tone={look.tone}>{look.words}</Chip>
        </>
      }
      actions={<Actions collection={collection} running={running} />}
    >
      <Facts collection={collection} />
      {persona !== null && (
        <p className="quiet collections-dialog-note text-s">
          persona <span className="mono">{persona}</span>
        </p>
      )}
      {(problem !== null || look.about !== '') && (
        <p className={`${look.tone === 'bad' ? 'bad ' : ''}collections-dialog-note text-s`}>
          {problem ?? look.about}
        </p>
      )}
      <JobLine id={`index ${name}`} idle="Reading documents" />
    </ServiceRow>
  )
}

function Facts({ collection }: { readonly collection: Collection }) {
  const { documents, chunks, bytes: size, embedder, threshold, calibrated, indexedAt } = collection
  const [now] = useState(() => Date.now())
  if (chunks === 0) return null
  return (
    <p className="num collections-dialog-facts wrap text-s dim flex">
      <span>{counted(documents, 'document')}</span>
      <span>{counted(chunks, 'chunk')}</span>
      <span>{bytes(size)}</span>
      <span>{shortName(collection.store)}</span>
      {embedder !== null && <span title="Model that made its vectors">{embedder}</span>}
      {threshold !== null && (
        <span title="Least cosine of a hit in this collection; calibration raises the embedder’s own where unrelated phrases come near">
          threshold {threshold.toFixed(2)}
          {calibrated !== null && ` (calibrated ${calibrated.toFixed(2)})`}
        </span>
      )}
      {indexedAt !== null && <span>indexed {ago(indexedAt, now)}</span>}
    </p>
  )
}

interface ActionsProps {
  readonly collection: Collection
  readonly running: boolean
}

function Actions({ collection, running }: ActionsProps) {
  const { name, state, chunks } = collection
  const [asking, setAsking] = useState(false)
  const isNew = chunks === 0 || state === 'empty'
  const needsRebuild = state === 'damaged' || state === 'other_embedder'
  if (asking)
    return (
      <span className="inline-row text-s gap-6" role="group" aria-label={`Remove ${name}`}>
        <span>Remove it, with its vectors? Documents stay.</span>
        <Button
          small
          onClick={() => {
            setAsking(false)
            void removeIndex(name)
          }}
        >
          Remove
        </Button>
        <Button small onClick={() => setAsking(false)}>
          Keep
        </Button>
      </span>
    )
  return (
    <span
      className="inline-row text-s gap-6"
      role="group"
      aria-label={`What can be done with ${name}`}
    >
      {!needsRebuild && (
        <Button
          small
          kind={isNew || state === 'stale' ? 'primary' : 'plain'}
          disabled={running || state === 'restricted'}
          title={isNew ? 'Read its documents and make their vectors' : 'Read what changed'}
          onClick={() => startIndex(name, { rebuild: false })}
        >
          {isNew ? 'Index' : 'Update'}
        </Button>
      )}
      {!isNew && (
        <>
          <Button
            small
            kind={needsRebuild ? 'primary' : 'plain'}
            disabled={running}
            title="Rebuild all embeddings"
            onClick={() => startIndex(name, { rebuild: true })}
          >
            Rebuild
          </Button>
          <Button small disabled={running} onClick={() => setAsking(true)}>
            Remove
          </Button>
        </>
      )}
    </span>
  )
}
