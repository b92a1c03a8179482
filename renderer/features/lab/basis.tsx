import { basisLines, madeFromWords } from '../../../core/engine/lab/basis-words.ts'
import type { FigureBasis } from '../../../core/engine/schema/basis.ts'
import { valueOf } from '../../app/async-data.ts'
import { Chip } from '../../ui/parts.tsx'
import { visible } from '../../ui/visible.ts'
import { useLab } from '../lab-corpus/store.ts'

/** [L100] [L101] On what figures were measured: sources and folds, the mark, the most frequent answer, the ceiling. */
export function Basis({ basis }: { readonly basis: FigureBasis }) {
  const mark = madeFromWords(basis)
  return (
    <ul className="figure-basis quiet text-xs num" aria-label="What the figures stand on">
      {basisLines(basis).map((line) => (
        <li key={line}>
          {line === mark ? <Chip tone="warn">{visible(line)}</Chip> : visible(line)}
        </li>
      ))}
    </ul>
  )
}

/** The same of the labels of the corpus, under the draft where there is one; nothing without labels. */
export function CorpusBasis() {
  const basis = useLab(({ flips, corpus }) => {
    const report = valueOf(flips)
    const metrics = report?.after ?? report?.before ?? valueOf(corpus)?.metrics
    return metrics?.basis ?? null
  })
  return basis === null ? null : <Basis basis={basis} />
}
