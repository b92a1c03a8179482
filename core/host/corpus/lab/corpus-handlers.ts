import type { z } from 'zod'
import type { Progress } from '../../../wire/contract.ts'
import { ablate } from '../../../engine/lab/signals/ablation.ts'
import { coverageOf } from '../../../engine/lab/signals/coverage.ts'
import { enrichmentEffect } from '../../../engine/lab/flips/enrichment-effect.ts'
import { explainTurn } from '../../../engine/lab/why/explain.ts'
import { matrixOf, turnsOfCell } from '../../../engine/lab/signals/matrix.ts'
import { suggestSignals } from '../../../engine/lab/signals/suggest.ts'
import { whatIf } from '../../../engine/lab/why/what-if.ts'
import type { Side } from '../../../engine/schema/lab.ts'
import type { HandlersOf } from '../../../wire/rpc.ts'
import type { Waiting } from '../waiting.ts'
import { showTurns } from './corpus-turns.ts'
import { createSources } from './sources.ts'
import { lintFiles, lintScored } from './lint-report.ts'
import { refusal } from '../../platform/threads/refusal.ts'
import { reporting, throttled } from '../../platform/threads/yielding.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { LabThreadContract } from '../../../wire/threads.ts'
import type { LabService, OpenCorpus, Scored } from './service.ts'

/** Those that need a corpus under a configuration and nothing else. */
type Questions = Omit<
  HandlersOf<LabThreadContract, 'lab'>,
  `lab.${'open' | 'close' | 'relabel' | 'messages' | 'flips' | 'signals' | 'matches' | 'causes' | 'flipTexts'}`
>
type Phase = z.infer<typeof Progress>['phase']
type Step = Readonly<z.infer<typeof Progress>>

/** Questions about a corpus under one configuration; the engine answers them. */
export function createQuestionHandlers(service: LabService, workspace: Workspace): Questions {
  const scoredOf: ScoredOf = async (input, waiting) => {
    const corpus = service.get(input.corpus)
    return { corpus, ...(await service.score(corpus, input.side, waiting)) }
  }

  return {
    'lab.turns': async (input, waiting) => {
      const { corpus, scored } = await scoredOf(input, waiting)
      const turns = input.places.flatMap((place) => turnAt(corpus, place) ?? [])
      const showing = { scored, labels: corpus.read.labels, watch: corpus.work.watch, only: null }
      return { turns: showTurns(turns, showing) }
    },
    'lab.matrix': async (input, waiting) => {
      const { scored } = await scoredOf(input, waiting)
      return matrixOf(scored, input.by, input.domain)
    },
    'lab.cell': async (input, waiting) => {
      const { corpus, scored } = await scoredOf(input, waiting)
      const { labels } = corpus.read
      const turns = turnsOfCell(scored, labels, input.cell)
      const showing = { scored, labels, watch: corpus.work.watch, only: null }
      const shown = showTurns([...turns.subarray(0, input.most)], showing)
      return { total: turns.length, turns: shown }
    },
    'lab.coverage': async (input, waiting) => {
      const { corpus, scored } = await scoredOf(input, waiting)
      const enrichment = enrichmentEffect(scored, corpus.read.outcomes)
      return { ...coverageOf(scored), enrichment }
    },
    'lab.explain': async (input, waiting) => {
      const { corpus, scored } = await scoredOf(input, waiting)
      const { work, read } = corpus
      const turn = turnAt(corpus, input)
      if (turn === null) {
        throw refusal({ what: 'there is no such turn', where: 'lab', do: 'Open the lab again' })
      }
      const question = { turn, domain: input.domain }
      const explained = explainTurn(scored, read.labels, question, work.rescore)
      return { counterfactuals: await work.run(explained, waiting) }
    },
    ...streamedQuestions(scoredOf, workspace),
  }
}

type ScoredOf = (
  input: { readonly corpus: string; readonly side: Side },
  waiting: Waiting,
) => Promise<Scored & { readonly corpus: OpenCorpus }>

/** Those that take a while. */
function streamedQuestions(
  scoredOf: ScoredOf,
  workspace: Workspace,
): Pick<Questions, `lab.${'lint' | 'ablation' | 'whatIf' | 'suggest'}`> {
  return {
    'lab.lint': (input, { signal }) =>
      answering('comparing', signal, async (waiting) => {
        const { corpus, side, scored } = await scoredOf(input, waiting)
        const { work, read } = corpus
        const still = await lintFiles(side, workspace, (steps) => work.run(steps, waiting))
        const found = await lintScored(side, scored, read, { work, waiting })
        return { kind: 'lint', findings: [...still, ...found] } as const
      }),
    'lab.ablation': (input, { signal }) =>
      answering('comparing', signal, async (waiting) => {
        const { corpus, scored } = await scoredOf(input, waiting)
        const question = ablate(scored, corpus.read.labels, corpus.work.rescore)
        return { kind: 'ablation', rows: await corpus.work.run(question, waiting) } as const
      }),
    'lab.whatIf': (input, { signal }) =>
      answering('comparing', signal, async (waiting) => {
        const { corpus, scored } = await scoredOf(input, waiting)
        const { option, values } = input
        const labels = corpus.read.labels
        const question = whatIf(scored, labels, { option, values }, corpus.work.rescore)
        const current = scored.pipeline.preset.belief[option]
        return {
          kind: 'whatIf',
          points: await corpus.work.run(question, waiting),
          current,
        } as const
      }),
    'lab.suggest': (input, { signal }) =>
      answering('comparing', signal, async (waiting) => {
        const { corpus, scored } = await scoredOf(input, waiting)
        const { read, work } = corpus
        const asked = { scored, labels: read.labels, sourceOf: createSources(read).of }
        const question = suggestSignals({ ...asked, domain: input.domain }, work.rescore)
        return { kind: 'suggest', ...(await work.run(question, waiting)) } as const
      }),
  }
}

/** A stream that yields progress, then the result of the work. */
export async function* answering<T>(
  phase: Phase,
  signal: AbortSignal,
  work: (waiting: Waiting) => Promise<T>,
): AsyncGenerator<Step | T, void> {
  const answer = yield* reporting<Step, T>((report) => {
    const onProgress = throttled((done, total) => report({ kind: 'progress', phase, done, total }))
    return work({ signal, onProgress })
  })
  yield answer
}

/** Number of a turn of a session; null if it does not exist. */
export function turnAt(
  { read }: OpenCorpus,
  { session, turn }: { readonly session: number; readonly turn: number },
): number | null {
  const found = read.corpus.sessions[session]
  return found === undefined || turn >= found.turns.length ? null : found.first + turn
}
