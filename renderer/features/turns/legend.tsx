import { Info } from 'lucide-react'
import { OutputType } from '../../../core/engine/schema/coach.ts'
import { SelfSignalType } from '../../../core/engine/schema/self-signal.ts'
import { Swatch } from '../../ui/domain.tsx'
import { Chip } from '../../ui/parts.tsx'
import { Popover } from '../../ui/popover.tsx'
import { VERDICT_WORDS } from '../coach/lane.ts'
import { SELF_WORDS } from '../self-signals/lane.ts'

/** How to read the screen, in a dozen lines. */
export function Legend() {
  return (
    <Popover
      className="icon-button"
      name="How to read this screen"
      title="How to read this screen"
      of="legend"
      heading="How to read this screen"
      shown={<Info size={15} aria-hidden />}
    >
      <dl>
        <dt>turn</dt>
        <dd>An event that is classified. Only turns have a number and a verdict.</dd>
        <dt>
          <mark className="matched">text</mark>
        </dt>
        <dd>Matched a signal. The underline has the colour of the signal’s domain.</dd>
        <dt>score</dt>
        <dd>How many signals of a domain matched. The highest is primary, the next secondary.</dd>
        <dt>momentum</dt>
        <dd>Turns that the same compound has been in force; from the threshold on it is strong.</dd>
        <dt>
          <Chip>held</Chip>
        </dt>
        <dd>The text alone decided nothing new: momentum kept the compound.</dd>
        <dt>
          <Chip tone="warn">◦ resisted</Chip>
        </dt>
        <dd>The text alone said another domain; strong momentum did not give way.</dd>
        <dt>
          <Chip tone="bad">✕ break</Chip>
        </dt>
        <dd>Another domain was strong enough to end the compound.</dd>
        <dt>self-signals</dt>
        <dd>
          <span className="legend-signs wrap flex">
            {SelfSignalType.options.map((type) => (
              <span key={type}>
                <span style={{ color: `var(--self-${type})` }} aria-hidden>
                  {SELF_WORDS[type].sign}
                </span>{' '}
                {SELF_WORDS[type].words}
              </span>
            ))}
          </span>
          What the agent says of itself: the higher, the surer; hollow with diagnostics. A red bar:
          going in circles. An amber bar: silent, or a fallback.
        </dd>
        <dt>verdicts</dt>
        <dd>
          <span className="legend-signs wrap flex">
            {OutputType.options.map((type) => (
              <span key={type}>
                <span style={{ color: `var(--verdict-${type})` }} aria-hidden>
                  {VERDICT_WORDS[type].sign}
                </span>{' '}
                {VERDICT_WORDS[type].words}
              </span>
            ))}
          </span>
          What the coach says of an output: above the line it passes, the ring below goes back to
          the agent. Amber diamond: rules or runs disagree. Red cross: the model failed.
        </dd>
        <dt>query</dt>
        <dd>Type of a message: C code, D documentation, R research, V conversation, A action.</dd>
        <dt>tokens</dt>
        <dd>
          Prompts, on a square-root scale: steps by tier, hatched what is kept for the answer, amber
          the limit. ▼ a tier is cut, ▽ the real tokenizer counts more than its cap, ✕ tier 0 alone
          is over the context, ⊘ no bundle, ◇ another prompt was sent.
        </dd>
        <dt>
          <Chip tone="accent">
            preset <Swatch domain="coding" />
          </Chip>
        </dt>
        <dd>A flip: the compared preset decides this turn differently.</dd>
      </dl>
    </Popover>
  )
}
