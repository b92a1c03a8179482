import type { TurnLabel } from '../../../core/engine/schema/label.ts'
import type { Verdict } from './labels.ts'

const LOOKS: Readonly<Record<Verdict, { readonly sign: string; readonly words: string }>> = {
  right: { sign: '✓', words: 'as labelled' },
  acceptable: { sign: '≈', words: 'accepted by the label' },
  wrong: { sign: '✕', words: 'labelled otherwise' },
  forbidden: { sign: '⊘', words: 'forbidden by the label' },
}

/** A label beside a decision: right, accepted, wrong or forbidden, by sign and colour. */
export function VerdictMark({
  verdict,
  label,
}: {
  readonly verdict: Verdict
  readonly label: TurnLabel
}) {
  const { sign, words } = LOOKS[verdict]
  return (
    <span
      className={`label-mark label-${verdict}`}
      role="img"
      aria-label={`Label ${label.primary}: ${words}`}
      title={`Label: ${label.primary} (${words})`}
    >
      {sign}
    </span>
  )
}
