import { placeOfSignal } from '../../engine/pipeline.ts'
import type { ScoredNow } from '../../engine/lab/scoring/score-corpus.ts'
import type { ConfigFiles } from '../../host/workspace/config-files.ts'
import { readText } from '../../host/platform/files/regular-file.ts'
import type { CorpusWork } from '../../host/corpus/lab/corpus-work.ts'
import type { DomainText } from '../../host/workspace/domains/text-places.ts'
import type { ResolvedSide } from '../../host/drafts/sides.ts'
import {
  type CutOff,
  type CutOffRun,
  createCutOffRun,
} from '../../host/platform/guard/cut-off-run.ts'
import { notice } from '../../host/platform/terminal.ts'
import { sayLater } from './saying.ts'

/** [T62] A cut-off in one line: the place of the pattern, the cause, and the consequence. */
function wordsOf({ domain, pattern, chars, elapsedMs }: CutOff, where: string): string {
  return `${where}: pattern ${pattern} of ${domain} was cut off after ${Math.round(elapsedMs)} ms on a text of ${chars} characters; it counts as not matched and is off for the rest of this run`
}

function placeIn(text: DomainText, file: string, { domain, signal }: CutOff): string {
  const index = text.value?.domains.findIndex(({ name }) => name === domain) ?? -1
  return index < 0 ? file : `${file}:${text.place(index, signal).line}`
}

/** A run that reports cut-offs immediately, with file and line. */
export async function sayingRun({ domains }: ConfigFiles): Promise<CutOffRun> {
  const { path, shown } = domains.file
  const text = await readText(path)
  return createCutOffRun((what) => {
    sayLater(async () => {
      // Loaded only after a cut-off: no other code here needs line numbers.
      const { textOfDomains } = await import('../../host/workspace/domains/whole-text.ts')
      notice(wordsOf(what, placeIn(textOfDomains(text), shown, what)))
    })
  })
}

/** The same for a corpus that was scored; the lines are those that were said. */
export function sayCutOffs(
  scored: ScoredNow,
  { text, files }: ResolvedSide,
  { watch }: CorpusWork,
): readonly string[] {
  const lines = scored.cutOffs.map(({ number, chars }) => {
    const { domain, index: signal } = placeOfSignal(scored.pipeline, number)
    const pattern = scored.pipeline.signals[number]?.pattern ?? ''
    const what = { domain, signal, pattern, chars, elapsedMs: watch.elapsed(chars) }
    return wordsOf(what, placeIn(text, files.domains.file.shown, what))
  })
  for (const line of lines) notice(line)
  return lines
}
