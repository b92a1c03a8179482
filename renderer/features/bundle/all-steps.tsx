import type { StepBar } from '../../../core/engine/schema/bundle-wire.ts'
import { selectSeq } from '../../app/select.ts'
import { Pressable } from '../../ui/button.tsx'
import { capital, count } from '../../ui/format.ts'
import { Section } from '../../ui/parts.tsx'
import { Words } from './counted.tsx'
import { type TokenMark, markOf, reallyOver, stepName, tierList, usedBy } from './lane.ts'
import { TierBar } from './tier-bar.tsx'

interface Props {
  readonly steps: readonly StepBar[]
  readonly words: readonly string[]
  /** Event of the step that is looked at. */
  readonly current: number | null
  readonly busy: boolean
}

/** Every step of the session under the limits in force: which overflow, and a way to each. */
export function AllSteps({ steps, words, current, busy }: Props) {
  const over = steps.filter((bar) => ['over', 'cut', 'real'].includes(markOf(bar))).length
  return (
    <Section
      title="All steps of this session"
      aside={over === 0 ? 'all fit' : `${over} of ${steps.length} overflow`}
    >
      <div aria-busy={busy} className={busy ? 'stale' : undefined}>
        <Words words={words} />
        <ul className="all-steps one-column">
          {steps.map((bar) => (
            <li key={bar.seq}>
              <Pressable
                className="all-step line-button stack center-items"
                aria-current={bar.seq === current ? 'true' : undefined}
                onClick={() => selectSeq(bar.seq)}
              >
                <span className="truncate">{capital(stepName(bar))}</span>
                {bar.problem === null ? (
                  <TierBar bar={bar} small />
                ) : (
                  <span className="quiet truncate">{bar.problem}</span>
                )}
                <span className="num text-end">
                  {bar.problem === null ? count(usedBy(bar)) : '–'}
                </span>
                <StepState bar={bar} />
              </Pressable>
            </li>
          ))}
        </ul>
      </div>
    </Section>
  )
}

/** Result of a step as a sign and a few words. */
export function StepState({ bar }: { readonly bar: StepBar }) {
  const mark = markOf(bar)
  if (mark === 'none') return <span className="truncate quiet">fits</span>
  const [tone, words] = STATES[mark](bar)
  return <span className={`step-state truncate ${tone}`}>{words}</span>
}

type State = (bar: StepBar) => readonly [tone: string, words: string]
const STATES: Readonly<Record<Exclude<TokenMark, 'none'>, State>> = {
  problem: () => ['bad', '⊘ no bundle'],
  over: () => ['bad', '✕ tier 0 over'],
  cut: (bar) => ['warn', `▼ ${tierList(bar.cut)}`],
  real: (bar) => ['warn', `▽ ${tierList(reallyOver(bar))}`],
  differs: () => ['accent', '◇ other prompt'],
}
