import type { Verdict } from '../../../core/engine/schema/coach.ts'
import type { CoachOutput } from '../../../core/engine/schema/coach-wire.ts'
import type { Immutable } from '../../../core/engine/schema/immutable.ts'
import { VERDICT_WORDS } from './lane.ts'
import { Chip, Section } from '../../ui/bits.tsx'
import { counted, dayOf, timeOf } from '../../ui/format.ts'
import { FAILURE_TITLES, FINDING_WORDS, FLAG_WORDS, SOURCE_WORDS } from './words.ts'

interface Props {
  readonly output: Immutable<CoachOutput>
}

/** Sign, type and whether it passes. */
export function VerdictName({ type }: { readonly type: Verdict['type'] }) {
  const { sign, words } = VERDICT_WORDS[type]
  return (
    <span className="verdict-name gap-6 baseline inline-flex">
      <span style={{ color: `var(--verdict-${type})` }} aria-hidden>
        {sign}
      </span>
      {words}
    </span>
  )
}

const BACK = {
  stopped: 'Sent back to the agent: it ',
  wentOn: 'Would be sent back, had the agent stopped here: it ',
} as const

/** The verdict in force: type, confidence, where it goes, source, reason, flags, failure. */
export function VerdictHead({ output }: Props) {
  const { verdict, failure } = output
  const source = SOURCE_WORDS[verdict.source]
  const back = verdict.type === 'status'
  return (
    <>
      <h2 className="verdict-title">
        <VerdictName type={verdict.type} />
        <span className="verdict-plus num" title="Confidence, 0 to 1">
          {verdict.confidence.toFixed(2)}
        </span>
      </h2>
      <p className="verdict-reason">
        {back ? BACK[output.wentOn ? 'wentOn' : 'stopped'] : 'Passes to the person: it '}
        {VERDICT_WORDS[verdict.type].about}.
      </p>
      <p className="wrap flex gap-5">
        <Chip tone={back ? 'warn' : 'good'}>{back ? '↩ sent back' : '✓ passes'}</Chip>
        <Chip title={source.about}>{source.words}</Chip>
        {output.wentOn && (
          <Chip title="Its next message or call comes before anything that a person says: in a live run nobody would have been asked here.">
            the agent went on by itself
          </Chip>
        )}
        {verdict.flags.map((flag) => (
          <Chip key={flag} tone={FLAG_WORDS[flag].tone} title={FLAG_WORDS[flag].about}>
            {FLAG_WORDS[flag].words}
          </Chip>
        ))}
      </p>
      <p className="coach-internal text-s dim break-words">
        <span
          className="coach-internal-mark text-xs quiet nowrap"
          title="For people who tune; never sent to anybody"
        >
          internal reason
        </span>{' '}
        {verdict.reason === '' ? 'none given' : verdict.reason}
      </p>
      {failure && (
        <div className="aside aside-bad" role="status">
          <p>
            <strong>✕ {FAILURE_TITLES[failure.kind]}</strong>{' '}
            {failure.attempts > 1 && (
              <span className="quiet num">after {failure.attempts} attempts</span>
            )}
          </p>
          <p>{failure.what}</p>
          <p>{failure.do}</p>
          <p className="quiet">The rules’ verdict stands.</p>
        </div>
      )}
    </>
  )
}

/** The rules beside the model: always both, so that a difference is seen. */
export function Beside({ output }: Props) {
  const { verdict, rules } = output
  const sides: ReadonlyArray<readonly [string, Immutable<Verdict> | null]> = [
    ['rules', rules],
    ['model', verdict.source === 'rules' ? null : verdict],
  ]
  const differ = verdict.type !== rules.type
  return (
    <Section
      title="Rules and model"
      aside={
        verdict.source === 'rules' ? undefined : (
          <Chip tone={differ ? 'warn' : 'good'}>{differ ? '◆ they differ' : 'they agree'}</Chip>
        )
      }
    >
      <table className="table states coach-beside">
        <thead>
          <tr>
            <td />
            <th scope="col">verdict</th>
            <th scope="col">sure</th>
            <th scope="col">why</th>
          </tr>
        </thead>
        <tbody>
          {sides.map(([who, side]) => (
            <tr key={who}>
              <th scope="row">{who}</th>
              {side ? (
                <>
                  <td className={differ ? 'changed' : ''}>
                    <VerdictName type={side.type} />
                  </td>
                  <td className="num">{side.confidence.toFixed(2)}</td>
                  <td>{side.reason}</td>
                </>
              ) : (
                <td colSpan={3}>
                  {output.request.gated
                    ? 'not asked: a gate of the rules decides before any call'
                    : output.failure
                      ? `failed: ${FAILURE_TITLES[output.failure.kind].toLowerCase()}`
                      : 'not asked'}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
}

/** What should be looked at again: contradictions and disagreements. */
export function Findings({ findings }: { readonly findings: Props['output']['findings'] }) {
  if (findings.length === 0) return null
  return (
    <Section title="To look at again" aside={counted(findings.length, 'finding')}>
      <ul className="coach-findings stack text-s gap-6">
        {findings.map(({ kind, what }, at) => (
          <li key={at} className="wrap flex baseline">
            <Chip tone="warn">◆ {FINDING_WORDS[kind] ?? kind}</Chip>
            <span>{what}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** Other runs of the same output, newest first. */
export function Runs({ output }: Props) {
  if (output.runs.length === 0) return null
  return (
    <Section title="Runs of this output" aside={counted(output.runs.length, 'run')}>
      <table className="table states coach-runs">
        <thead>
          <tr>
            <th scope="col">when</th>
            <th scope="col">verdict</th>
            <th scope="col">model</th>
            <th scope="col">prompt</th>
          </tr>
        </thead>
        <tbody>
          {output.runs.map(({ verdict, model, promptHash, at }, index) => (
            <tr key={`${at} ${index}`}>
              <td className="num" title={dayOf(at)}>
                {timeOf(at, true)}
              </td>
              <td>
                <VerdictName type={verdict.type} />{' '}
                <span className="num">{verdict.confidence.toFixed(2)}</span>
              </td>
              <td>{model}</td>
              <td
                className="mono"
                title={
                  promptHash === output.request.promptHash
                    ? 'The prompt as it is on disk'
                    : 'Another version of the prompt'
                }
              >
                {promptHash.slice(0, 8)}
                {promptHash === output.request.promptHash ? ' =' : ''}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
}
