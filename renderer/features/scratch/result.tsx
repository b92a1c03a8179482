import { type ReactNode, useEffect } from 'react'
import type { TurnTrace } from '../../../core/engine/schema/trace.ts'
import { isPage } from '../../app/api.ts'
import { valueOf } from '../../app/async-data.ts'
import { type Answer, call } from '../../app/question.ts'
import { useQuery } from '../../app/use-query.ts'
import { EVENT_WORDS } from '../../timeline/words.ts'
import { Empty, FailureNote, Skeleton } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import { Domain, Swatch } from '../../ui/domain.tsx'
import { counted, score } from '../../ui/format.ts'
import { Name } from '../../ui/name.tsx'
import { Chip, type Tone, Warnings } from '../../ui/parts.tsx'
import { useLook } from '../../ui/use-look.ts'
import { BudgetBarView } from '../../views/budget/budget-bar.tsx'
import { VERDICT_WORDS } from '../../views/coach/verdict-words.ts'
import { FlagChips, PassChip, VerdictSign } from '../../views/coach/parts.tsx'
import { Found } from '../../views/probe/probe-head.tsx'
import { useProbe } from '../../stores/probe/store.ts'
import { QueryTitle } from '../../views/prompt/query-summary.tsx'
import { letProbe, sayNear } from './state.ts'
import { type Tried, useScratch } from './pad.ts'

/** The result of every stage for the current text. */
export function Result() {
  const data = useScratch((state) => state.tried)
  const isEmpty = useScratch((state) => state.draft.text === '')
  const tried = isEmpty ? null : valueOf(data)
  if (data.status === 'failed') return <FailureNote failure={data.failure} />
  if (!tried && !isEmpty) return <Skeleton />
  if (!tried)
    return (
      <Empty title="Nothing typed yet">
        Type on the left: every letter is decided at once. Nothing is sent anywhere.
      </Empty>
    )
  return (
    <div className="scratch-cards" aria-busy={data.status === 'loading'} aria-live="polite">
      {tried.trace ? <OfTurn trace={tried.trace} /> : <NoTurn />}
      {tried.verdict && <Coach tried={tried} verdict={tried.verdict} />}
      {tried.query && (
        <Card title="Query">
          <QueryTitle query={tried.query.classification} />
        </Card>
      )}
      {tried.prompt && <Prompt prompt={tried.prompt} />}
      {tried.query && !isPage() && <Probe />}
    </div>
  )
}

function Card({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section
      className="scratch-card edge rounded on-panel stack content-start gap-8 pad-12"
      aria-label={title}
    >
      <p className="quiet text-xs medium">{title}</p>
      {children}
    </section>
  )
}

function NoTurn() {
  return (
    <Card title="Decision">
      <h2 className="verdict-title">No turn</h2>
      <p className="verdict-reason">
        Under this preset it is not classified, and momentum stays as it is.
      </p>
    </Card>
  )
}

function OfTurn({ trace }: { readonly trace: TurnTrace }) {
  const { momentum, primary, secondary, scored } = trace
  const { before, after, event, threshold, reason } = momentum
  const word = EVENT_WORDS[event]
  return (
    <>
      <Card title="Decision">
        <h2 className="verdict-title">
          <Swatch domain={primary.domain} />
          <Name text={primary.domain} className="truncate" />
          {secondary && (
            <span className="verdict-plus">
              + <Name text={secondary.domain} />
            </span>
          )}
        </h2>
        <Bars trace={trace} />
        {scored.signature !== trace.signature && (
          <p className="quiet text-s">
            The text alone says <Name text={scored.signature} />.
          </p>
        )}
        <Warnings texts={trace.warnings} />
      </Card>
      <Card title="Momentum">
        <h2 className="verdict-title">
          <span aria-hidden>{word.sign}</span> {word.word}
          <span className="verdict-plus num">
            {before.momentum} → {after.momentum}
          </span>
        </h2>
        <p className="verdict-reason">{reason}</p>
        <p>
          <Chip tone={strengthOf(after.momentum, threshold)}>
            {after.momentum >= threshold ? 'strong' : 'weak'}, strong from {threshold}
          </Chip>
        </p>
      </Card>
    </>
  )
}

const strengthOf = (momentum: number, threshold: number): Tone =>
  momentum >= threshold ? 'accent' : 'plain'

/** One bar a domain that scored, the highest first. */
function Bars({ trace }: { readonly trace: TurnTrace }) {
  const look = useLook()
  const scored = trace.domains
    .filter((each) => each.score > 0)
    .toSorted((a, b) => (a.rank ?? 99) - (b.rank ?? 99))
  const most = Math.max(1, ...scored.map((each) => each.score))
  if (scored.length === 0) return <p className="quiet text-s">No signal of any domain matched.</p>
  return (
    <ul className="stack gap-5 text-s" aria-label="Scores">
      {scored.slice(0, 5).map((each) => (
        <li key={each.domain} className="scratch-score">
          <Domain name={each.domain} />
          <span className="scratch-bar" aria-hidden>
            <i
              style={{
                width: `${((100 * each.score) / most).toFixed(1)}%`,
                background: look(each.domain).color,
              }}
            />
          </span>
          <strong className="num">{score(each.score)}</strong>
        </li>
      ))}
    </ul>
  )
}

function Prompt({
  prompt: { prompt, error, placements },
}: {
  readonly prompt: NonNullable<Tried['prompt']>
}) {
  return (
    <Card title="Prompt">
      {error && <p className="warning">{error.what}</p>}
      {prompt && <BudgetBarView prompt={prompt} />}
      <p className="text-s quiet">
        {placements.length === 0
          ? 'Nothing is injected.'
          : placements
              .map(({ segment, chars, placed }) =>
                placed
                  ? `${segment} is in, ${counted(chars, 'character')}`
                  : `${segment} had no room`,
              )
              .join(' · ')}
      </p>
      {prompt && (
        <details className="text-s">
          <summary className="pointer brighten">Show the prompt</summary>
          <pre className="block scratch-prompt scroll" tabIndex={0} aria-label="Composed prompt">
            {prompt.content}
          </pre>
        </details>
      )}
    </Card>
  )
}

interface CoachProps {
  readonly tried: Tried
  readonly verdict: NonNullable<Tried['verdict']>
}

/** Uses the rules only. No model is called during typing. */
function Coach({ tried, verdict }: CoachProps) {
  const { selfSignal } = tried
  return (
    <>
      <Card title="Coach">
        <h2 className="verdict-title">
          <VerdictSign type={verdict.type} /> {VERDICT_WORDS[verdict.type].words}
          <span className="verdict-plus num">{verdict.confidence.toFixed(2)}</span>
        </h2>
        <p className="verdict-reason">{verdict.reason}</p>
        <p className="wrap flex gap-5">
          <PassChip type={verdict.type} />
          <FlagChips flags={verdict.flags} />
        </p>
      </Card>
      {selfSignal && (
        <Card title="Says of itself">
          <h2 className="verdict-title">{selfSignal.signal?.type ?? 'Nothing'}</h2>
          <p className="verdict-reason">
            {selfSignal.signal
              ? `Confidence ${selfSignal.signal.confidence}.`
              : 'There is no self-signal in it.'}
            {selfSignal.diagnostics.length > 0 &&
              ` ${counted(selfSignal.diagnostics.length, 'fault')} in it.`}
          </p>
        </Card>
      )}
    </>
  )
}

/** [U160] Local collections are probed automatically, others when the operator agrees. */
function Probe() {
  const probes = useScratch((state) => state.probes)
  const data = useScratch((state) => state.found)
  const revision = useProbe((state) => state.revision)
  const about = { where: 'The probe', of: String(revision) }
  const { data: embedders } = useQuery(call('probe.embedders', {}, about))
  const { data: collections } = useQuery(call('probe.collections', {}, about))
  const all = collections.status === 'ready' ? collections.value.collections : []
  const isNear = embedders.status === 'ready' && isLocal(embedders.value, all)
  useEffect(() => {
    sayNear(isNear)
    return () => sayNear(false)
  }, [isNear])
  const found = valueOf(data)
  if (all.length === 0) return null
  return (
    <Card title="Probe">
      {!probes && !isNear && (
        <p className="row wrap gap-8 text-s">
          <Button small onClick={letProbe}>
            Ask the probe
          </Button>
          <span className="quiet">The text would leave this machine.</span>
        </p>
      )}
      {data.status === 'failed' && <FailureNote failure={data.failure} />}
      {found && <Found result={found} />}
      {!found && data.status === 'loading' && <p className="quiet text-s">Asking …</p>}
    </Card>
  )
}

type Collections = Answer<'probe.collections'>['collections']

function isLocal({ embedders, current }: Answer<'probe.embedders'>, all: Collections): boolean {
  const embedder = embedders.find(({ name }) => name === current)
  return embedder?.remote === false && all.every(({ store }) => store === 'local')
}
