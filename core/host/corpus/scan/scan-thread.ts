import { createCorpus } from '../../../engine/lab/corpus/corpus.ts'
import { createTextView } from '../../../engine/lab/corpus/text-view.ts'
import { identityOf } from '../../../engine/matcher/identity.ts'
import { compileSignal } from '../../../engine/matcher/signal.ts'
import type { ScanContract } from '../../../wire/internal/scan.ts'
import type { Handlers } from '../../../wire/rpc.ts'
import { offerAutomaton } from '../../automata/current.ts'
import { createCutOffBudget } from '../../platform/guard/cut-off-budget.ts'
import { createTimeLimit } from '../../platform/guard/guard.ts'
import { refusal } from '../../platform/threads/refusal.ts'
import { createLists, scanPart } from './scan-part.ts'
import { watchLab, type LabWatch } from '../watch.ts'

interface Job {
  readonly lists: ReturnType<typeof createLists>
  readonly watch: LabWatch
}

/** Texts arrive as scored: the owner of the corpus has already cut and stripped them. */
const AS_THEY_ARE = { maxChars: null, stripThinking: false } as const

/** [L107] A thread that scans given texts for signals, and keeps none of the texts. */
export function createScanHandlers(): Handlers<ScanContract> {
  const limit = createTimeLimit()
  let job: Job | null = null
  return {
    'scan.begin': ({ signals, lost }) => {
      const compiled = signals.flatMap((entry) => {
        const one = compileSignal(entry, 'signal', { asciiBoundaries: false })
        return one.ok ? [one.value] : []
      })
      const lists = createLists(compiled)
      offerAutomaton(lists([]).signals)
      job = { lists, watch: watchLab(limit, createCutOffBudget(lost)) }
      return { identities: compiled.map(identityOf) }
    },
    'scan.texts': ({ texts, off }) => {
      if (job === null)
        throw refusal({ what: 'no signals were named', where: 'scan', do: 'Name them first' })
      const turns = texts.map((text, seq) => ({ seq, kind: 'user' as const, text }))
      const view = createTextView(createCorpus([{ id: '', turns }]), AS_THEY_ARE)
      const steps = scanPart(job.lists(off), { view, from: 0, end: texts.length }, job.watch)
      for (;;) {
        const step = steps.next()
        if (step.done !== true) continue
        const { matches, cut } = step.value
        return { matches, cut: cut.map(({ turn, ...rest }) => ({ ...rest, text: turn })) }
      }
    },
  }
}
