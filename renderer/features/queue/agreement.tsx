import { measuredWords } from '../../../core/engine/lab/queue/words.ts'
import type { PairAgreement, ReaderReport } from '../../../core/engine/schema/readers.ts'

/**
 * [L87] Agreement of readers about the same turns. Measured against one of them, no classifier can be more often right.
 */
export function Agreement({ readers }: { readonly readers: ReaderReport }) {
  const { pairs, open, settled } = readers
  if (pairs.length === 0) return <p>No turn has labels of two readers yet.</p>
  return (
    <>
      {pairs.map((pair) => (
        <p className="num" key={pair.readers.join(' ')}>
          {pair.readers.join(' and ')} agree on {measuredWords(pair.same)}, accepting alternatives
          on {measuredWords(pair.accepted)}; {kappaWords(pair)}. This is the ceiling of “right”.
        </p>
      ))}
      <p className="num">
        Disagreements: {open} to settle, {settled} settled.
      </p>
    </>
  )
}

function kappaWords({ kappa }: PairAgreement): string {
  if (kappa === null) return 'kappa cannot be told, both always say the same'
  const { value, low, high } = kappa
  return `kappa ${value.toFixed(2)} (95 % interval ${low.toFixed(2)} to ${high.toFixed(2)})`
}
