import type { CoachScore } from '../../../core/engine/schema/coach-wire.ts'
import { OutputType as Types } from '../../../core/engine/schema/coach.ts'
import type { Immutable } from '../../../core/engine/schema/immutable.ts'
import { VERDICT_WORDS } from '../coach/lane.ts'
import { count } from '../../ui/format.ts'
import type { Filter } from './filter.ts'

type Share = CoachScore['type']

/** `83 of 96`: a share is never told without its n. */
function shareText({ hits, of }: Immutable<Share>): string {
  return of === 0 ? 'none to judge' : `${count(hits)} of ${count(of)}`
}

function percent({ hits, of }: Immutable<Share>): string {
  return of === 0 ? '–' : `${((100 * hits) / of).toFixed(1)} %`
}

interface Props {
  readonly score: Immutable<CoachScore>
  /** To compare with; null while there is nothing. */
  readonly before: Immutable<CoachScore> | null
  readonly against: 'disk' | 'earlier'
}

const LINES = [
  { name: 'type', words: 'Same type as the label', more: true },
  { name: 'passOrBack', words: 'Passed or sent back as labelled', more: true },
  { name: 'rejectsPassed', words: 'Rejects that were passed', more: false },
  { name: 'questionsContinued', words: 'Questions that were continued', more: false },
] as const

const SIDES = { disk: ['draft', 'on disk'], earlier: ['this prompt', 'earlier ones'] } as const

/** Agreement with labels, harm apart; every share with its numbers. */
export function Scores({ score, before, against }: Props) {
  const [now, then] = SIDES[against]
  return (
    <section className="lab-scores" aria-label="Agreement with labels">
      <table className="table states">
        <thead>
          <tr>
            <td>{count(score.labelled)} labelled</td>
            <th scope="col">{before ? now : 'on disk'}</th>
            <td />
            {before && <th scope="col">{then}</th>}
          </tr>
        </thead>
        <tbody>
          {LINES.map(({ name, words, more }) => {
            const share = score[name]
            const old = before?.[name]
            // Only shares of as many outputs can be subtracted.
            const by = old?.of === share.of ? share.hits - old.hits : 0
            const good = by === 0 ? '' : by > 0 === more ? ' lab-better' : ' lab-worse'
            return (
              <tr key={name} className={more ? '' : 'lab-harm'}>
                <th scope="row">{words}</th>
                <td className={`num${good}`}>
                  {shareText(share)}
                  {by !== 0 && ` (${by > 0 ? '+' : '−'}${Math.abs(by)})`}
                </td>
                <td className="num lab-percent">{percent(share)}</td>
                {old && <td className="num">{shareText(old)}</td>}
              </tr>
            )
          })}
        </tbody>
      </table>
      <ByType score={score} />
    </section>
  )
}

function ByType({ score }: Pick<Props, 'score'>) {
  return (
    <details className="lab-types mt-8 text-s">
      <summary className="link">By type</summary>
      <table className="table states">
        <thead>
          <tr>
            <td />
            <th scope="col">of the labelled, found</th>
            <th scope="col">of the judged, right</th>
          </tr>
        </thead>
        <tbody>
          {score.types.map(({ type, precision, recall }) => (
            <tr key={type}>
              <th scope="row">{type}</th>
              <td className="num">
                {shareText(recall)} <span className="quiet">{percent(recall)}</span>
              </td>
              <td className="num">
                {shareText(precision)} <span className="quiet">{percent(precision)}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}

interface MatrixProps {
  readonly score: Immutable<CoachScore>
  readonly filter: Filter
  readonly onFilter: (filter: Filter) => void
}

/** Labels against verdicts; a cell lists its rows. Strength is the share of the label's row. */
export function Matrix({ score, filter, onFilter }: MatrixProps) {
  const cell = (label: string, verdict: string) =>
    score.confusion.find((one) => one.label === label && one.verdict === verdict)?.count ?? 0
  return (
    <table className="lab-matrix text-s" aria-label="Labels against verdicts">
      <thead>
        <tr>
          <td>
            <span className="visually-hidden">label, then</span>
            <span className="quiet">label ↓ verdict →</span>
          </td>
          {Types.options.map((type) => (
            <th key={type} scope="col" title={type}>
              <span style={{ color: `var(--verdict-${type})` }} aria-hidden>
                {VERDICT_WORDS[type].sign}
              </span>
              <span className="visually-hidden">{type}</span>
            </th>
          ))}
          <th scope="col" className="quiet">
            n
          </th>
        </tr>
      </thead>
      <tbody>
        {Types.options.map((label) => {
          const total = Types.options.reduce((sum, verdict) => sum + cell(label, verdict), 0)
          return (
            <tr key={label}>
              <th scope="row">
                <span style={{ color: `var(--verdict-${label})` }} aria-hidden>
                  {VERDICT_WORDS[label].sign}
                </span>{' '}
                {label}
              </th>
              {Types.options.map((verdict) => {
                const times = cell(label, verdict)
                const on =
                  filter.kind === 'cell' && filter.label === label && filter.verdict === verdict
                const share = total === 0 ? 0 : times / total
                return (
                  <td key={verdict}>
                    <button
                      type="button"
                      className={
                        label === verdict
                          ? 'lab-cell text-center lab-cell-right'
                          : 'lab-cell text-center'
                      }
                      style={{ '--share': `${Math.round(share * 60)}%` }}
                      disabled={times === 0}
                      aria-pressed={on}
                      aria-label={`labelled ${label}, judged ${verdict}: ${times}`}
                      onClick={() =>
                        onFilter(on ? { kind: 'wrong' } : { kind: 'cell', label, verdict })
                      }
                    >
                      {times === 0 ? '·' : count(times)}
                    </button>
                  </td>
                )
              })}
              <td className="num quiet">{count(total)}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
