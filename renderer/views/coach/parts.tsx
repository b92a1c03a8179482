import { ownOf } from '../../../core/engine/schema/own.ts'
import type { Verdict } from '../../../core/engine/schema/coach.ts'
import type { Immutable } from '../../../core/engine/schema/immutable.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { counted, dayOf, timeOf } from '../../ui/format.ts'
import { Chip, Section } from '../../ui/parts.tsx'
import type { OfOutput } from '../../stores/coach/store.ts'
import { FAILURE_TITLES, FINDING_WORDS, FLAG_WORDS, SOURCE_WORDS } from './words.ts'
import { VERDICT_WORDS } from './verdict-words.ts'

/** The sign of a type in its colour. */
export function VerdictSign({ type }: { readonly type: Verdict['type'] }) {
  return (
    <span style={{ color: `var(--verdict-${type})` }} aria-hidden>
      {VERDICT_WORDS[type].sign}
    </span>
  )
}

/** Sign, type and whether it passes. */
function VerdictName({ type }: { readonly type: Verdict['type'] }) {
  return (
    <span className="verdict-name gap-6 baseline inline-flex">
      <VerdictSign type={type} />
      {VERDICT_WORDS[type].words}
    </span>
  )
}

/** Whether outputs of the type pass or are sent back. */
export function PassChip({ type }: { readonly type: Verdict['type'] }) {
  const back = type === 'status'
  return <Chip tone={back ? 'warn' : 'good'}>{back ? '↩ sent back' : '✓ passes'}</Chip>
}

/** The flags of a verdict, each with its meaning. */
export function FlagChips({ flags }: Pick<Verdict, 'flags'>) {
  return flags.map((flag) => (
    <Chip key={flag} tone={FLAG_WORDS[flag].tone} title={FLAG_WORDS[flag].about}>
      {FLAG_WORDS[flag].words}
    </Chip>
  ))
}

const BACK = {
  stopped: 'Sent back to the agent: it ',
  wentOn: 'Would be sent back, had the agent stopped here: it ',
} as const

/** The verdict in force: type, confidence, destination, source, reason, flags and failure. */
export function VerdictHead({ output }: OfOutput) {
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
        <PassChip type={verdict.type} />
        <Chip title={source.about}>{source.words}</Chip>
        {output.wentOn && (
          <Chip title="The agent's next message or call comes before any message of the user. In a live run, Turnscope would not ask here.">
            the agent went on by itself
          </Chip>
        )}
        <FlagChips flags={verdict.flags} />
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
export function Beside({ output }: OfOutput) {
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
      <DataTable
        className="table states coach-beside"
        rows={sides}
        keyOf={([who]) => who}
        columns={[
          { isName: true, cell: ([who]) => who },
          {
            head: 'verdict',
            className: ([, side]) => (side && differ ? 'changed' : ''),
            span: ([, side]) => (side ? 1 : 3),
            cell: ([, side]) => (side ? <VerdictName type={side.type} /> : notAsked(output)),
          },
          {
            head: 'sure',
            num: true,
            span: ([, side]) => (side ? 1 : 0),
            cell: ([, side]) => side?.confidence.toFixed(2),
          },
          {
            head: 'why',
            span: ([, side]) => (side ? 1 : 0),
            cell: ([, side]) => side?.reason,
          },
        ]}
      />
    </Section>
  )
}

/** Why a model says nothing of an output. */
function notAsked({ request, failure }: OfOutput['output']): string {
  if (request.gated) return 'not asked: a gate of the rules decides before any call'
  return failure ? `failed: ${FAILURE_TITLES[failure.kind].toLowerCase()}` : 'not asked'
}

/** Findings that should be checked again: contradictions and disagreements. */
export function Findings({ findings }: { readonly findings: OfOutput['output']['findings'] }) {
  if (findings.length === 0) return null
  return (
    <Section title="To look at again" aside={counted(findings.length, 'finding')}>
      <ul className="coach-findings stack text-s gap-6">
        {findings.map(({ kind, what }, at) => (
          <li className="wrap flex baseline" key={at}>
            <Chip tone="warn">◆ {ownOf(FINDING_WORDS, kind) ?? kind}</Chip>
            <span>{what}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** Other runs of the same output, newest first. */
export function Runs({ output }: OfOutput) {
  if (output.runs.length === 0) return null
  const isCurrent = ({ promptHash }: { readonly promptHash: string }) =>
    promptHash === output.request.promptHash
  return (
    <Section title="Runs of this output" aside={counted(output.runs.length, 'run')}>
      <DataTable
        className="table states coach-runs"
        rows={output.runs}
        keyOf={({ at }, index) => `${at} ${index}`}
        columns={[
          {
            head: 'when',
            num: true,
            title: ({ at }) => dayOf(at),
            cell: ({ at }) => timeOf(at, true),
          },
          {
            head: 'verdict',
            cell: ({ verdict }) => (
              <>
                <VerdictName type={verdict.type} />{' '}
                <span className="num">{verdict.confidence.toFixed(2)}</span>
              </>
            ),
          },
          { head: 'model', cell: ({ model }) => model },
          {
            head: 'prompt',
            className: 'mono',
            title: (run) =>
              isCurrent(run) ? 'The prompt as it is on disk' : 'Another version of the prompt',
            cell: (run) => `${run.promptHash.slice(0, 8)}${isCurrent(run) ? ' =' : ''}`,
          },
        ]}
      />
    </Section>
  )
}
