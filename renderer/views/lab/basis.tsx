import {
  type BasisNouns,
  basisLines,
  madeFromWords,
} from '../../../core/engine/lab/metrics/basis-words.ts'
import type { FigureBasis } from '../../../core/engine/schema/basis.ts'
import { valueOf } from '../../app/async-data.ts'
import { Chip } from '../../ui/parts.tsx'
import { visible } from '../../ui/visible.ts'
import { useLab } from '../../stores/lab/store.ts'

interface Props {
  readonly basis: FigureBasis
  /** Nouns for the labeled units; turns by default. */
  readonly nouns?: BasisNouns
}

/** [L100] [L101] On what figures were measured: sources and folds, the mark, the most frequent answer, the ceiling. */
export function Basis({ basis, nouns }: Props) {
  const mark = madeFromWords(basis, nouns)
  return (
    <ul className="figure-basis quiet text-xs num" aria-label="What the figures stand on">
      {basisLines(basis, nouns).map((line) => (
        <li key={line}>
          {line === mark ? <Chip tone="warn">{visible(line)}</Chip> : visible(line)}
        </li>
      ))}
    </ul>
  )
}

/** The basis of the label figures of the corpus, under the draft if one exists; null without labels. */
export function useCorpusBasis(): FigureBasis | null {
  return useLab(({ flips }) => {
    const report = valueOf(flips)
    const metrics = report?.after ?? report?.before
    return metrics?.basis ?? null
  })
}

/** The same as lines; nothing without labels. */
export function CorpusBasis() {
  const basis = useCorpusBasis()
  return basis === null ? null : <Basis basis={basis} />
}
