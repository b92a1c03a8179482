import type { CauseGroup, FlipCause } from '../../../core/engine/schema/compare.ts'
import { valueOf } from '../../app/async-data.ts'
import type { Question } from '../../app/question.ts'
import { useOwnQuery } from '../../app/use-query.ts'
import { FailureNote } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import { count, counted } from '../../ui/format.ts'
import { Chip, Details } from '../../ui/parts.tsx'
import { ProgressView } from '../../ui/progress.tsx'
import { startProbe } from '../../stores/probe/probe.ts'

export interface Found {
  readonly causes: readonly FlipCause[]
  readonly flips: number
  readonly others: readonly CauseGroup[]
}

interface Props {
  readonly question: Question<Found>
  /** Turns only: nothing else of a corpus is compared. */
  readonly isCorpus?: boolean
}

/** [L52] The options that cause the flips. Computed on a click, because every option is switched separately. */
export function Causes({ question, isCorpus = false }: Props) {
  const { query, data } = useOwnQuery<Found>()
  const found = valueOf(data)
  return (
    <section className="causes stack gap-6" aria-label="Causes of the flips">
      <ProgressView data={data} idle="Switching one option at a time" onCancel={query.cancel} />
      {data.status === 'failed' && <FailureNote failure={data.failure} />}
      {found === null ? (
        data.status !== 'loading' && (
          <Button
            small
            title="Switches every difference by itself and decides all turns again"
            onClick={() => void query.ask(question)}
          >
            Which options cause the flips?
          </Button>
        )
      ) : (
        <FoundCauses {...found} isCorpus={isCorpus} />
      )}
    </section>
  )
}

function FoundCauses({ causes, flips, others, isCorpus }: Found & { readonly isCorpus: boolean }) {
  return (
    <>
      <CauseSet causes={causes} flips={flips} what={isCorpus ? TURNS : DECISIONS} />
      {others.map((each) => (
        <OtherCauses key={each.group} {...each} />
      ))}
    </>
  )
}

/** Words for a group's options and flips, singular and plural, and the text if there are no flips. */
interface CauseWords {
  readonly options: readonly [one: string, many: string]
  readonly flips: readonly [one: string, many: string]
  readonly none: string
}

const TURNS: CauseWords = {
  options: ['option', 'options'],
  flips: ['flip', 'flips'],
  none: 'none of them flips anything',
}
const DECISIONS: CauseWords = {
  ...TURNS,
  flips: ['flip (other stages included)', 'flips (other stages included)'],
}

const GROUPS: Readonly<Record<CauseGroup['group'], CauseWords>> = {
  stages: { ...TURNS, options: ['option of other stages', 'options of other stages'] },
  probe: {
    options: ['option of the probe', 'options of the probe'],
    flips: ['message with another answer', 'messages with another answer'],
    none: 'every message is answered alike',
  },
  bundle: {
    options: ['option of step bundles', 'options of step bundles'],
    flips: ['step with another bundle', 'steps with another bundle'],
    none: 'every bundle is the same',
  },
  verdict: {
    options: ['file of the coach', 'files of the coach'],
    flips: ['verdict', 'verdicts'],
    none: 'every verdict is the same',
  },
}

const WHY: Readonly<Record<NonNullable<CauseGroup['why']>, string>> = {
  corpus:
    'A corpus compares the domains of turns, which these do not touch. “This session” counts what they change.',
  not_probed:
    'They change only what messages hit and which persona is in force. This session was not probed, so nothing can be counted.',
  probe_failed: 'The probe could not answer, so nothing was counted: its own tab says why.',
  no_steps: 'This session has no pipeline steps, so there is no bundle that they could change.',
}

/** [T83] Options with separate causes, which a comparison of turns and events does not show. */
function OtherCauses({ group, causes, flips, why }: CauseGroup) {
  const words = GROUPS[group]
  if (flips !== null) return <CauseSet causes={causes} flips={flips} what={words} />
  return (
    <div className="stack gap-6">
      <p>
        <strong>{counted(causes.length, ...words.options)}</strong>{' '}
        {causes.length === 1 ? 'differs' : 'differ'}. {why !== null && WHY[why]}
      </p>
      {why === 'not_probed' && (
        <Button small onClick={startProbe}>
          Probe this session
        </Button>
      )}
      <Details summary={causes.length === 1 ? 'Which one' : 'Which they are'}>
        <CauseList causes={causes} />
      </Details>
    </div>
  )
}

interface CauseSetProps {
  readonly causes: readonly FlipCause[]
  readonly flips: number
  readonly what: CauseWords
}

function CauseSet({ causes, flips, what }: CauseSetProps) {
  const needed = causes.filter((cause) => cause.needed)
  const others = causes.filter((cause) => !cause.needed)
  return (
    <div className="stack gap-6">
      <p>
        <strong>{counted(causes.length, ...what.options)}</strong>{' '}
        {causes.length === 1 ? 'differs' : 'differ'}
        {endOf(needed.length, causes.length, flips, what)}
      </p>
      {needed.length > 0 && <CauseList causes={needed} />}
      {others.length > 0 && (
        <Details summary={`${counted(others.length, 'other')} change nothing`}>
          <CauseList causes={others} />
        </Details>
      )}
    </div>
  )
}

function endOf(needed: number, all: number, flips: number, what: CauseWords): string {
  if (flips === 0) return all === 0 ? '.' : `; ${what.none}.`
  const sum = counted(flips, ...what.flips)
  if (needed === all)
    return all === 1 ? `; it causes all ${sum}:` : `; all of them are needed for the ${sum}:`
  return `; ${needed === 1 ? 'this one causes' : `these ${count(needed)} cause`} all ${sum}:`
}

function CauseList({ causes }: { readonly causes: readonly FlipCause[] }) {
  return (
    <ul className="cause-list stack gap-6">
      {causes.map(({ name, from, to, alone }) => (
        <li key={name}>
          <code className="break-words">{name}</code>{' '}
          {alone !== null && (
            <Chip tone={alone > 0 ? 'warn' : 'plain'}>{`${count(alone)} alone`}</Chip>
          )}
          <span className="quiet break-words cause-values">
            {from} → {to}
          </span>
        </li>
      ))}
    </ul>
  )
}
