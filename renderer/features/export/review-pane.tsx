import { ShieldCheck } from 'lucide-react'
import { RedactionKind } from '../../../core/engine/schema/redaction.ts'
import { type AsyncData, valueOf } from '../../app/async-data.ts'
import { FailureNote } from '../../ui/answered.tsx'
import { Button, Switch } from '../../ui/button.tsx'
import { count, counted } from '../../ui/format.ts'
import { WorkLine } from '../../ui/progress.tsx'
import { type ExportChoice, type Finding, type Review, KIND_WORDS } from './export.ts'

/** Looking for what to take out can be stopped, and begun again. */
export interface Look {
  readonly cancel: () => void
  readonly again: () => void
}

interface Props {
  readonly review: AsyncData<Review>
  readonly choice: ExportChoice
  readonly onChange: (choice: ExportChoice) => void
  readonly look: Look
}

/** [U9] Every value to be replaced, shown before anything is written: its count, its places, and its replacement. */
export function ReviewPane({ review, choice, onChange, look }: Props) {
  const found = valueOf(review)
  return (
    <section
      className="review grow scroll pad-16"
      aria-label="What is taken out"
      aria-busy={review.status === 'loading'}
    >
      {review.status === 'loading' && (
        <WorkLine work={review} idle="Looking for what to take out" onCancel={look.cancel} />
      )}
      {review.status === 'failed' && (
        <>
          <FailureNote failure={review.failure} />
          <Button className="review-again" onClick={look.again}>
            Look again
          </Button>
        </>
      )}
      {found && (
        <>
          <p className="review-lead row gap-7 medium">
            {found.total === 0 ? (
              <>
                <ShieldCheck className="good" size={15} aria-hidden /> Nothing of these kinds was
                found.
              </>
            ) : (
              summary(found, choice.keep)
            )}
          </p>
          {RedactionKind.options.map((kind) => (
            <KindFindings
              key={kind}
              kind={kind}
              findings={found.findings.filter((one) => one.kind === kind)}
              choice={choice}
              onChange={onChange}
            />
          ))}
          {found.total > found.findings.length && (
            <p className="review-lead row gap-7 medium quiet">
              {counted(found.total - found.findings.length, 'more value')} of these kinds{' '}
              {found.total - found.findings.length === 1 ? 'is' : 'are'} not listed and taken out
              too.
            </p>
          )}
        </>
      )}
    </section>
  )
}

function summary({ total, findings }: Review, keep: ReadonlySet<string>): string {
  const kept = findings.filter(({ id }) => keep.has(id)).length
  const out = counted(total - kept, 'value')
  const verb = total - kept === 1 ? 'is' : 'are'
  return kept === 0 ? `${out} ${verb} taken out.` : `${out} ${verb} taken out, ${count(kept)} kept.`
}

interface KindProps extends Omit<Props, 'review' | 'look'> {
  readonly kind: RedactionKind
  readonly findings: readonly Finding[]
}

function KindFindings({ kind, findings, choice, onChange }: KindProps) {
  if (findings.length === 0) return null
  return (
    <section className="review-kind" aria-label={KIND_WORDS[kind].many}>
      <h3 className="headline">
        {KIND_WORDS[kind].many} <span className="quiet num">{count(findings.length)}</span>
      </h3>
      <ul>
        {findings.map((finding) => (
          <FindingRow
            key={finding.id}
            finding={finding}
            kept={choice.keep.has(finding.id)}
            onKeep={(kept) => {
              const keep = new Set(choice.keep)
              if (kept) keep.add(finding.id)
              else keep.delete(finding.id)
              onChange({ ...choice, keep })
            }}
          />
        ))}
      </ul>
    </section>
  )
}

interface RowProps {
  readonly finding: Finding
  readonly kept: boolean
  readonly onKeep: (kept: boolean) => void
}

const FATES = [
  [false, 'Replace'],
  [true, 'Keep'],
] as const

function FindingRow({ finding, kept, onKeep }: RowProps) {
  const { value, kind, rule, count: times, places } = finding
  return (
    <li className={kept ? 'finding line-above pad-y-8 finding-kept' : 'finding line-above pad-y-8'}>
      <div className="finding-line row gap-12">
        <code className="finding-value truncate" title={`Recognised as ${rule}`}>
          {value}
        </code>
        <span className="quiet num no-shrink text-s">{counted(times, 'time')}</span>
        <Switch label={`What happens to ${value}`} options={FATES} value={kept} onChoose={onKeep} />
      </div>
      <ul className="finding-places stack gap-3">
        {places.map(({ session, seq, excerpt, span }) => (
          <li className="flex gap-12 text-s dim" key={`${session} ${seq} ${span[0]} ${excerpt}`}>
            <span className="quiet num no-shrink">
              {seq < 0 ? 'header' : `event ${count(seq + 1)}`}
            </span>
            <span className="mono break-words pre-wrap">
              {excerpt.slice(0, span[0])}
              {kept ? (
                <span className="finding-stays warn">{excerpt.slice(span[0], span[1])}</span>
              ) : (
                <>
                  <del>{excerpt.slice(span[0], span[1])}</del>
                  <ins>[REDACTED:{kind}]</ins>
                </>
              )}
              {excerpt.slice(span[1])}
            </span>
          </li>
        ))}
      </ul>
    </li>
  )
}
