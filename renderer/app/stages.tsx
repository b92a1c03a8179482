import { FilePlus2, FlaskConical, MessageSquarePlus, PlugZap, RefreshCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { FailureNote } from '../ui/answered.tsx'
import { Button, Pressable } from '../ui/button.tsx'
import { ProgressView } from '../ui/progress.tsx'
import { type Failure, valueOf } from './async-data.ts'
import { act } from './tell.ts'
import { has } from './api.ts'
import { BrandMark } from './brand.tsx'
import { runCommand } from './commands.ts'
import { counted } from '../ui/format.ts'
import { isHeld } from './handed-files.ts'
import { cancelOpen, closeDocument, openSource, tryAgain } from './open.ts'
import { ProblemList } from './problem-list.tsx'
import { Slot } from './slot.tsx'
import { sourceName } from './source-name.ts'
import { useApp } from './use-store.ts'
import { shortName } from '../ui/visible.ts'

/** [U173] Nothing is open: one sentence, one action, then the samples. */
export function Welcome() {
  const samples = useApp((state) => valueOf(state.document.library)?.samples)
  const formats = useApp((state) => valueOf(state.document.info)?.formats)
  return (
    <div className="stage scroll full-height">
      <div className="welcome stack gap-16">
        <BrandMark size={34} />
        <h1>See, turn by turn, what the classifiers of an LLM agent saw, decided and injected</h1>
        <div className="row wrap gap-12">
          <Button kind="primary" className="welcome-open" onClick={() => runCommand('open-file')}>
            <FilePlus2 size={16} aria-hidden /> Open a transcript <kbd>o</kbd>
          </Button>
          <Button onClick={() => runCommand('try-message')}>
            <MessageSquarePlus size={16} aria-hidden /> Try a message <kbd>N</kbd>
          </Button>
          <span className="dim">or drop a file anywhere. Nothing leaves this machine.</span>
        </div>
        {formats ? (
          <details className="welcome-formats dim text-s">
            <summary className="pointer brighten">
              {counted(formats.length, 'format')} of transcripts are known
            </summary>
            <p className="quiet mt-6">{formats.map(({ label }) => label).join(' · ')}</p>
            {has('machine') && (
              <p className="mt-6">
                Another one opens with a mapping, which says where things stand in it.{' '}
                <Button kind="link" onClick={() => runCommand('formats')}>
                  Write a mapping
                </Button>
              </p>
            )}
          </details>
        ) : (
          // [U202] Reserves the line's space until the host has reported its formats.
          <p className="welcome-formats dim text-s" aria-hidden>
            &nbsp;
          </p>
        )}
        <Slot name="Welcome" />
        <h2 className="headline mt-8">Samples</h2>
        <div className="cards stack gap-8">
          {samples?.map((sample) => (
            <Pressable
              key={sample.id}
              className="card edge row dim gap-12 on-panel"
              onClick={() => openSource({ kind: 'sample', id: sample.id })}
            >
              <FlaskConical size={16} aria-hidden className="no-shrink" />
              <span className="grow">
                <strong>{sample.title}</strong>
                <span className="card-about clamp">{sample.about}</span>
              </span>
            </Pressable>
          ))}
        </div>
      </div>
    </div>
  )
}

interface StageProps {
  readonly title: string
  readonly isWide?: boolean
  readonly children: ReactNode
}

/** Empty state shown when no session is open. */
function Stage({ title, isWide = false, children }: StageProps) {
  return (
    <div className="stage scroll full-height">
      <div className={`stage-box stack dim gap-12${isWide ? ' stage-wide' : ''}`}>
        <h1>{shortName(title)}</h1>
        {children}
      </div>
    </div>
  )
}

/** Another file, or the samples; between them what else can be done. */
function WaysOn({ children }: { readonly children?: ReactNode }) {
  return (
    <p className="stage-actions gap-8 wrap flex">
      <Button kind="primary" onClick={() => runCommand('open-file')}>
        Open another
      </Button>
      {children}
      <Button onClick={closeDocument}>Back to the samples</Button>
    </p>
  )
}

/** A file is being read. */
export function Opening() {
  const opened = useApp((state) => state.document.opened)
  const source = useApp((state) => state.document.source)
  return (
    <Stage title={source ? sourceName(source) : 'Opening'}>
      <ProgressView data={opened} idle="Opening" onCancel={cancelOpen} />
    </Stage>
  )
}

/** A file could not be opened at all. */
export function OpenFailed({ failure }: { readonly failure: Failure }) {
  const source = useApp((state) => state.document.source)
  const held = useApp((state) => isHeld(state))
  return (
    <Stage title={`${source ? sourceName(source) : 'The file'} could not be opened`}>
      <FailureNote failure={failure} />
      <WaysOn>
        {source && source.kind !== 'scratch' && source.kind !== 'result' && has('machine') && (
          <Button onClick={() => act('write-mapping', source)}>Write a mapping</Button>
        )}
        {source && (source.kind !== 'upload' || held) && (
          <Button onClick={() => void tryAgain()}>
            {held ? 'Read the file again' : 'Try again'}
          </Button>
        )}
      </WaysOn>
    </Stage>
  )
}

/** The file was read and holds no session: its bad lines can be read. */
export function NothingInside() {
  const opened = useApp((state) => valueOf(state.document.opened))
  if (!opened) return null
  return (
    <Stage title={`${opened.name} holds no session`} isWide>
      <p>It was read as {opened.formatLabel}, and no line of it could be used.</p>
      {opened.problems > 0 && <ProblemList />}
      <WaysOn />
    </Stage>
  )
}

interface NoHostProps {
  readonly title: string
  readonly children: ReactNode
  readonly onRetry?: (() => void) | undefined
}

/** The page has no host to talk to. */
export function NoHost({ title, children, onRetry }: NoHostProps) {
  return (
    <main className="stage scroll full-height on-bg">
      <div className="stage-box stack dim gap-12">
        <PlugZap size={28} aria-hidden className="quiet" />
        <h1>{title}</h1>
        {children}
        {onRetry && (
          <p className="stage-actions gap-8 wrap flex">
            <Button kind="primary" onClick={onRetry}>
              <RefreshCw size={14} aria-hidden /> Try again
            </Button>
          </p>
        )}
      </div>
    </main>
  )
}

/** Content of the middle while no session is on screen. */
export function Nothing() {
  const opened = useApp((state) => state.document.opened)
  switch (opened.status) {
    case 'idle':
      return <Welcome />
    case 'loading':
      return <Opening />
    case 'failed':
      return <OpenFailed failure={opened.failure} />
    case 'ready':
      return <NothingInside />
  }
}
