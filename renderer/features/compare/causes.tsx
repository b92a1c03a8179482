import type { FlipCause } from '../../../core/engine/schema/compare.ts'
import { valueOf } from '../../app/async-data.ts'
import type { Question } from '../../app/question.ts'
import { useOwnQuery } from '../../app/use-query.ts'
import { FailureNote } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import { count, counted } from '../../ui/format.ts'
import { Chip, Details } from '../../ui/parts.tsx'
import { ProgressView } from '../../ui/progress.tsx'

export interface Found {
  readonly causes: readonly FlipCause[]
  readonly flips: number
}

/** [L52] Which options cause the flips: asked by a click, since every option is switched by itself. */
export function Causes({ question }: { readonly question: Question<Found> }) {
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
        <FoundCauses {...found} />
      )}
    </section>
  )
}

function FoundCauses({ causes, flips }: Found) {
  const needed = causes.filter((cause) => cause.needed)
  const others = causes.filter((cause) => !cause.needed)
  return (
    <>
      <p>
        <strong>{counted(causes.length, 'option')}</strong>{' '}
        {causes.length === 1 ? 'differs' : 'differ'}
        {flips === 0
          ? '; none of them flips anything.'
          : needed.length === causes.length
            ? `; all of them are needed for the ${counted(flips, 'flip')}.`
            : `; ${needed.length === 1 ? 'this one causes' : `these ${count(needed.length)} cause`} all ${counted(flips, 'flip')}:`}
      </p>
      {needed.length > 0 && <CauseList causes={needed} />}
      {others.length > 0 && (
        <Details summary={`${counted(others.length, 'other')} can be spared`}>
          <CauseList causes={others} />
        </Details>
      )}
    </>
  )
}

function CauseList({ causes }: { readonly causes: readonly FlipCause[] }) {
  return (
    <ul className="cause-list stack gap-6">
      {causes.map(({ name, from, to, alone }) => (
        <li key={name}>
          <code className="break-words">{name}</code>{' '}
          <Chip tone={alone !== null && alone > 0 ? 'warn' : 'plain'}>
            {alone === null ? 'not compared here' : `${count(alone)} alone`}
          </Chip>
          <span className="quiet break-words cause-values">
            {from} → {to}
          </span>
        </li>
      ))}
    </ul>
  )
}
