import { NEVER_STRONG } from '../../../core/engine/schema/never-strong.ts'
import { EVENT_CODES } from '../../../core/engine/schema/replay.ts'
import type { TurnTrace } from '../../../core/engine/schema/trace.ts'
import type { OfTurn } from '../../app/feature.ts'
import { valueOf } from '../../app/async-data.ts'
import { selectTurn } from '../../app/select.ts'
import { type Stretch, stretchAt } from '../../app/selectors.ts'
import { TurnLine } from '../../app/turn-line.tsx'
import { useApp } from '../../app/use-store.ts'
import { Pressable } from '../../ui/button.tsx'
import { type Change, ChangeTable } from '../../ui/data-table.tsx'
import { counted } from '../../ui/format.ts'
import { Section } from '../../ui/parts.tsx'
import { useLook } from '../../ui/use-look.ts'
import { Name } from '../../ui/name.tsx'

/** State before and after, the rule that decided, and how long the compound has been held. */
export function MomentumTab({ trace }: OfTurn) {
  const { momentum } = trace
  return (
    <>
      <div className="verdict">
        <TurnLine trace={trace} />
        <p className="verdict-reason">{momentum.reason}</p>
        {momentum.decayed && (
          <p className="warning">Momentum was halved: no signal of the compound for too long.</p>
        )}
      </div>
      <Section title="State" aside={thresholdWords(momentum.threshold)}>
        <States before={momentum.before} after={momentum.after} threshold={momentum.threshold} />
      </Section>
      <InForce trace={trace} />
    </>
  )
}

/** [K13] Skills have no momentum: their threshold is out of reach. */
function thresholdWords(threshold: number): string {
  return threshold >= NEVER_STRONG ? 'never strong' : `threshold ${threshold}`
}

interface StatesProps {
  readonly before: TurnTrace['momentum']['before']
  readonly after: TurnTrace['momentum']['before']
  readonly threshold: number
}

function States({ before, after, threshold }: StatesProps) {
  const strength = (momentum: number) => (momentum >= threshold ? 'strong' : 'weak')
  const rows: readonly Change[] = [
    ['signature', before.signature || 'none yet', after.signature],
    ['primary', before.primary ?? 'none yet', after.primary ?? 'none'],
    [
      'momentum',
      `${before.momentum} · ${strength(before.momentum)}`,
      `${after.momentum} · ${strength(after.momentum)}`,
    ],
    ['resisted in a row', String(before.resistedRun), String(after.resistedRun)],
    ['turns without support', String(before.unsupportedRun), String(after.unsupportedRun)],
  ]
  return <ChangeTable num rows={rows} />
}

/** [L1] Duration of this compound so far, and the domains that the texts alone indicated meanwhile. */
function InForce({ trace }: OfTurn) {
  const columns = useApp((state) => valueOf(state.session.replay)?.columns)
  if (!columns || trace.turn >= columns.turns) return null
  const stretch = stretchAt(columns, trace.turn)
  const length = stretch.to - stretch.from + 1
  return (
    <Section
      title="In force"
      aside={`turns ${stretch.from + 1}–${stretch.to + 1} · ${counted(length, 'turn')}`}
    >
      <p>{sentence(trace, stretch)}</p>
      <Strip stretch={stretch} turn={trace.turn} />
      {stretch.resisted.length > 0 && (
        <ul className="stack gap-2 one-column text-s">
          {stretch.resisted.map(({ domain, times }) => (
            <li className="flex between" key={domain}>
              <span>
                resisted <Name text={domain} />
              </span>{' '}
              <strong className="num">{times}×</strong>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

function sentence(trace: TurnTrace, stretch: Stretch): string {
  const length = stretch.to - stretch.from + 1
  if (stretch.held === 0)
    return `Every text of these ${counted(length, 'turn')} supports ${trace.signature}: nothing was held.`
  const run = stretch.longest > 1 ? `, up to ${stretch.longest} in a row` : ''
  return `${counted(stretch.held, 'turn')} of ${length} ${stretch.held === 1 ? 'was' : 'were'} held by momentum${run}: there the text alone said something else or nothing.`
}

const MOST_CELLS = 160

/** One cell per turn: full height if the text supports the compound, low if it was held. */
function Strip({ stretch, turn }: { readonly stretch: Stretch; readonly turn: number }) {
  const columns = useApp((state) => valueOf(state.session.replay)?.columns)
  const look = useLook()
  if (!columns) return null
  const from = Math.max(stretch.from, Math.min(turn - MOST_CELLS / 2, stretch.to - MOST_CELLS + 1))
  const turns = Array.from(
    { length: Math.min(MOST_CELLS, stretch.to - from + 1) },
    (_, at) => from + at,
  )
  const name = (index: number | undefined) => columns.domains[index ?? -1] ?? ''
  return (
    <div className="held-strip wrap gap-2 flex" role="group" aria-label="Turns of this stretch">
      {turns.map((at) => {
        const event = EVENT_CODES[columns.event[at] ?? 0] ?? 'same'
        const isHeld = event === 'hold' || event === 'resist'
        const resisted = name(columns.resisted[at])
        const alone = resisted || name(columns.scoredPrimary[at])
        const domain = isHeld ? alone : name(columns.primary[at])
        const said = isHeld ? `${event}: the text alone says ${alone}` : event
        return (
          <Pressable
            key={at}
            className={isHeld ? 'held-cell relative held-cell-on' : 'held-cell relative'}
            aria-current={at === turn ? 'true' : undefined}
            aria-label={`Turn ${at + 1}, ${said}`}
            title={`Turn ${at + 1}\n${said}`}
            style={{ '--cell': look(domain).color }}
            onClick={() => selectTurn(at)}
          />
        )
      })}
    </div>
  )
}
