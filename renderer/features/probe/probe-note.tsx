import { type ReactNode, useMemo } from 'react'
import { type AsyncData, type Failure, valueOf } from '../../app/async-data.ts'
import { patchView } from '../../app/store.ts'
import { useApp } from '../../app/use-store.ts'
import { Button } from '../../ui/button.tsx'
import { counted } from '../../ui/format.ts'
import { Bar, shareOf } from '../../ui/progress.tsx'
import { cancelProbe, messagesOf, startProbe } from '../../stores/probe/probe.ts'
import {
  type ProbeNeed,
  asksSamples,
  currentEmbedder,
  probeNeed,
} from '../../stores/probe/selectors.ts'
import { useProbe } from '../../stores/probe/store.ts'

/** [D51] Why no hits are shown, in one line. */
const WHY: Readonly<Partial<Record<ProbeNeed, string>>> = {
  collections: 'There is no collection yet.',
  only_samples:
    'The sample collections are fiction and are asked about sample sessions only, unless you let them take part.',
  samples: 'Nothing is indexed yet; the sample collections are, with the first probe.',
  unindexed: 'No collection is indexed with the embedder in use yet.',
  embedder: 'The embedder in use is not there.',
  remote: 'The embedder in use is not on this machine: texts of messages would leave it.',
  many: 'A long session waits for a click.',
  asked: 'Sessions are not probed by themselves.',
}

/** Nothing can be asked before something is done in the dialog. */
const FIRST_COLLECTIONS: ReadonlySet<ProbeNeed> = new Set([
  'collections',
  'only_samples',
  'unindexed',
  'embedder',
])

function openCollections(): void {
  patchView({ dialog: 'collections' })
}

interface Told {
  readonly need: ProbeNeed
  readonly messages: number
  readonly failure: Failure | null
}

function ToDo({ need, messages, failure }: Told) {
  const canProbe = !FIRST_COLLECTIONS.has(need)
  return (
    <>
      {canProbe ? (
        <Button className="tl-button" onClick={startProbe}>
          {failure ? 'Try again' : `Probe ${counted(messages, 'message')}`}
        </Button>
      ) : (
        <Button className="tl-button" onClick={openCollections}>
          Collections…
        </Button>
      )}
      {need === 'samples' && (
        <Button className="tl-button" onClick={openCollections}>
          Collections…
        </Button>
      )}
      {failure ? (
        <span className="bad truncate" role="alert" title={`${failure.what}. ${failure.do}`}>
          {failure.what}. {failure.do}
        </span>
      ) : (
        <span className="truncate quiet">{WHY[need] ?? ''}</span>
      )}
    </>
  )
}

function Running({ data }: { readonly data: AsyncData<unknown> }) {
  const progress = data.status === 'loading' ? data.progress : null
  return (
    <>
      <Bar
        label="Probing messages"
        share={shareOf(progress) ?? 0}
        className="tl-probe-progress meter no-shrink"
      />
      <span className="quiet num">
        {progress ? `${progress.done} of ${progress.total} messages` : 'probing …'}
      </span>
      <Button className="tl-button" onClick={cancelProbe}>
        Cancel
      </Button>
    </>
  )
}

function Waiting({ failed }: { readonly failed: boolean }) {
  if (!failed) return <span className="quiet">…</span>
  return (
    <>
      <Button className="tl-button" onClick={openCollections}>
        Collections…
      </Button>
      <span className="bad truncate" role="alert">
        Collections or embedders could not be read.
      </span>
    </>
  )
}

/** Note in the hits lane while it has no hits; null if there is nothing to report. */
export function useProbeNote(): ReactNode {
  const session = useProbe((state) => state.session)
  const collections = useProbe((state) => state.collections)
  const embedders = useProbe((state) => state.embedders)
  const settings = useProbe((state) => valueOf(state.settings))
  const source = useApp((state) => state.document.source)
  const messages = useApp(messagesOf)
  return useMemo(() => {
    const known = valueOf(collections)
    const listed = valueOf(embedders)
    if (messages === 0 || session.status === 'ready') return null
    // The line is there from the start: the rows above it must not jump when the host answers.
    if (!known || !listed || settings === null)
      return <Waiting failed={collections.status === 'failed' || embedders.status === 'failed'} />
    if (session.status === 'loading')
      return session.previous === null ? <Running data={session} /> : null
    const failure = session.status === 'failed' ? session.failure : null
    const embedder = currentEmbedder(listed)
    const samples = asksSamples(settings, source)
    const { auto } = settings
    const need = probeNeed({ messages, collections: known, embedder, auto, samples })
    if (session.status === 'failed' && session.previous !== null) return null
    return <ToDo need={need} messages={messages} failure={failure} />
  }, [session, collections, embedders, settings, source, messages])
}
