import type { SessionDiff, StageFlip, Uncompared } from '../../../core/engine/schema/compare.ts'
import type { FlipReport } from '../../../core/engine/schema/lab.ts'
import type { Question } from '../../app/question.ts'
import { selectSeq } from '../../app/select.ts'
import { useApp } from '../../app/use-store.ts'
import { Button } from '../../ui/button.tsx'
import { count, counted } from '../../ui/format.ts'
import { Details } from '../../ui/parts.tsx'
import { Basis } from '../../views/lab/basis.tsx'
import { MetricTable } from '../../views/lab/metric-table.tsx'
import { startProbe } from '../../stores/probe/probe.ts'
import { useProbe } from '../../stores/probe/store.ts'
import { type Found, Causes } from './causes.tsx'

type Asks = Question<Found> | null

interface SessionProps {
  readonly diff: SessionDiff
  /** Null if the other side has no options. */
  readonly question: Asks
}

/** Extent of the session's differences: their number, the first one, their stages, and their causes. */
export function SessionFacts({ diff, question }: SessionProps) {
  const { total, turns, primaries, first, oneSided, recorded } = diff
  const alone = oneSided.base + oneSided.other
  if (recorded === 0 && diff.stageTotals.length === 0)
    return (
      <p>
        This file recorded nothing that could be compared: looked for the fields _bst_compound and
        _bst_domain, for [BST] log lines, and for recorded query types, self-signals, personas and
        verdicts.
      </p>
    )
  return (
    <>
      <p className="num">
        <strong>{count(total)}</strong> of{' '}
        {counted(recorded ?? turns, recorded === null ? 'turn' : 'recorded turn')}{' '}
        {total === 1 ? 'differs' : 'differ'}; the primary of {count(primaries)}.
      </p>
      {first && (
        <p>
          <Button kind="link" onClick={() => selectSeq(first.seq)}>
            They part first in{' '}
            {first.turn === null
              ? `event ${count(first.seq + 1)}`
              : `turn ${count(first.turn + 1)}`}
            {first.what !== 'domains' && ` (${STAGE_WORDS[first.what].toLowerCase()})`}
          </Button>
        </p>
      )}
      {recorded === null && alone > 0 && (
        <p className="quiet num">
          {counted(alone, 'turn')} of one side only: {count(oneSided.base)} here,{' '}
          {count(oneSided.other)} there. They are no flips.
        </p>
      )}
      <AmbiguousTurns here={diff.ambiguous.base} there={diff.ambiguous.other} />
      {question && <Causes key={question.key} question={question} />}
      <Stages diff={diff} />
    </>
  )
}

/** [B24] Turns that either side marks ambiguous. Renders nothing if neither preset names a margin. */
function AmbiguousTurns({ here, there }: Readonly<Record<'here' | 'there', number | null>>) {
  if (here === null && there === null) return null
  const words = (found: number | null) => (found === null ? 'no margin' : count(found))
  return (
    <p className="num">
      Ambiguous turns: {words(here)} here, {words(there)} there.
    </p>
  )
}

const STAGE_WORDS: Readonly<Record<StageFlip['stage'], string>> = {
  query: 'Query types',
  'self-signal': 'Self-signals',
  persona: 'Personas',
  prompt: 'Prompts',
  verdict: 'Verdicts of the coach',
}
const MOST_STAGE_ROWS = 60

/** [L51] Differences in other stages, event by event. */
function Stages({ diff: { stageTotals, stages, uncompared } }: { readonly diff: SessionDiff }) {
  const selected = useApp((state) => state.view.selected)
  return (
    <section className="stack gap-6" aria-label="Other stages">
      {stageTotals.map(({ stage, flips, compared }) =>
        flips === 0 ? (
          <p key={stage} className="quiet num">
            {STAGE_WORDS[stage]}: alike in {counted(compared, 'event')}
          </p>
        ) : (
          <Details
            key={stage}
            summary={`${STAGE_WORDS[stage]}: ${count(flips)} of ${count(compared)} differ`}
          >
            <ul className="stage-flips stack">
              {stages
                .filter((flip) => flip.stage === stage)
                .slice(0, MOST_STAGE_ROWS)
                .map(({ seq, was, is }) => (
                  <li key={seq}>
                    <Button
                      kind="link"
                      aria-current={seq === selected}
                      onClick={() => selectSeq(seq)}
                    >
                      event {count(seq + 1)}
                    </Button>{' '}
                    <span className="break-words">
                      {was} → {is}
                    </span>
                  </li>
                ))}
            </ul>
            {flips > MOST_STAGE_ROWS && (
              <p className="quiet">The first {count(MOST_STAGE_ROWS)}.</p>
            )}
          </Details>
        ),
      )}
      {uncompared.map((each) => (
        <NotCompared key={each.stage} {...each} />
      ))}
    </section>
  )
}

const WHY: Readonly<Record<Uncompared['why'], string>> = {
  not_recorded: 'the file has no record of them',
  not_probed: 'the session was not probed',
  same_probe: 'both sides probe alike',
  no_texts: 'what was said was left out of this file',
  same_rules:
    'the same rules of the coach judge both sides. Only a revision can have other rules: presets, domain files and drafts have none',
}

/** [L51] Nothing is left out in silence. */
function NotCompared({ stage, why }: Uncompared) {
  const isProbing = useProbe((state) => state.session.status === 'loading')
  return (
    <p className="quiet">
      {STAGE_WORDS[stage]}: not compared; {WHY[why]}.{' '}
      {why === 'not_probed' && (
        <Button kind="link" disabled={isProbing} onClick={startProbe}>
          {isProbing ? 'Probing …' : 'Probe it'}
        </Button>
      )}
    </p>
  )
}

interface CorpusProps {
  readonly report: FlipReport
  readonly question: Asks
}

/** The share of the corpus that differs, its effect on the labels, and its causes. */
export function CorpusFacts({ report, question }: CorpusProps) {
  const { before, after } = report
  return (
    <>
      <p className="num">
        <strong>{count(report.total)}</strong> of {counted(report.turns, 'turn')} differ; the
        primary of {count(report.primaries)}.
      </p>
      {report.otherKinds.map((side) => (
        <p key={side} className="warning">
          {side === 'base' ? 'This side' : 'The other side'} classifies other kinds of events than
          the turns of this corpus. Turns that only it has are left out: “This session” pairs them
          by event.
        </p>
      ))}
      <AmbiguousTurns here={report.ambiguous.base} there={report.ambiguous.side} />
      {question && <Causes key={question.key} question={question} isCorpus />}
      {before && after && before.labelled > 0 ? (
        <>
          <MetricTable names={['here', 'there']} sides={[before, after]} />
          {after.basis && <Basis basis={after.basis} />}
        </>
      ) : (
        <p className="quiet">Without labels there is no better or worse, only other.</p>
      )}
    </>
  )
}
