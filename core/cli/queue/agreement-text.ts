import { measuredWords } from '../../engine/lab/queue/words.ts'
import type { ReaderReport } from '../../engine/schema/readers.ts'

/** [L87] Agreement between readers, one line per pair. Empty if there is only one reader. */
export function readersText({ readers, pairs, open, settled }: ReaderReport): readonly string[] {
  if (readers.length < 2) return []
  return [
    `readers            ${readers.map(({ by, labels }) => `${by} ${labels}`).join(', ')}`,
    ...pairs.flatMap(({ readers: [one, other], same, accepted, kappa }) => [
      `agreement          ${one} and ${other}: ${measuredWords(same)}; the ceiling of "strict"`,
      `  or accepted      ${measuredWords(accepted)}`,
      kappa === null
        ? '  kappa            cannot be told: both always say the same'
        : `  kappa            ${kappa.value.toFixed(2)} (95 % interval ${kappa.low.toFixed(2)} to ${kappa.high.toFixed(2)})`,
    ]),
    `to settle          ${open}, settled ${settled}`,
  ]
}
