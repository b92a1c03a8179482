import type { KeywordRow } from '../../engine/schema/hit-rate.ts'

const NAME_WIDTH = 28

/** [D72] For people: keyword, whether it is still needed, and what answers instead. */
export function keywordTable(rows: readonly KeywordRow[]): string {
  if (rows.length === 0) return 'no collection has keywords\n'
  const lines = rows.map((row) => {
    const { keyword, covered, collection } = row
    const word = covered ? 'covered' : 'needed'
    return `${keyword.padEnd(NAME_WIDTH)} ${word.padEnd(8)} ${collection}  ${whyOf(row)}`
  })
  const covered = rows.filter((row) => row.covered).length
  return `${lines.join('\n')}\n${covered} of ${rows.length} keywords are covered by the probe\n`
}

function whyOf({ covered, hit, collection, best }: KeywordRow): string {
  const near = best === null ? '' : `${best.score.toFixed(2)} of ${best.threshold.toFixed(2)}`
  if (covered) return `${near}, ${best?.filename ?? ''}`
  if (hit !== null && hit !== collection) return `${hit} is hit instead`
  return best === null ? 'nothing is near it' : `${near} in ${best.filename}: no hit`
}
