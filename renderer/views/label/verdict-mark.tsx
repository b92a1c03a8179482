import type { TurnLabel } from '../../../core/engine/schema/label.ts'
import type { Verdict } from '../../stores/label/labels.ts'

const LOOKS: Readonly<
  Record<Verdict, { readonly sign: string; readonly words: string; readonly tone: string }>
> = {
  right: { sign: '✓', words: 'as labelled', tone: 'good' },
  acceptable: { sign: '≈', words: 'accepted by the label', tone: 'good' },
  wrong: { sign: '✕', words: 'labelled otherwise', tone: 'bad' },
  forbidden: { sign: '⊘', words: 'forbidden by the label', tone: 'bad' },
}

interface VerdictMarkProps {
  readonly verdict: Verdict
  readonly label: TurnLabel
}

/** A label beside a decision: right, accepted, wrong or forbidden, by sign and colour. */
export function VerdictMark({ verdict, label }: VerdictMarkProps) {
  const { sign, words, tone } = LOOKS[verdict]
  return (
    <span
      className={`label-mark heavy no-shrink soft-${tone}`}
      role="img"
      aria-label={`Label ${label.primary}: ${words}`}
      title={`Label: ${label.primary} (${words})`}
    >
      {sign}
    </span>
  )
}
