import type { Outcome, Part } from '../../../engine/lab/flips/causes.ts'
import { eachFlip } from '../../../engine/lab/flips/diff.ts'
import {
  enrichedOf,
  type FoldNames,
  primaryOf,
  secondaryOf,
} from '../../../engine/lab/scoring/fold-rules.ts'
import type { HandlersOf } from '../../../wire/rpc.ts'
import type { LabThreadContract } from '../../../wire/threads.ts'
import { findCauses, listedChanges } from '../../compare/cause-search.ts'
import { flipText } from '../../compare/flip-text.ts'
import { compilePipeline, createPipelines } from '../../rules/pipelines.ts'
import { valueOrRefuse } from '../../platform/threads/refusal.ts'
import { answering, turnAt } from '../../corpus/lab/corpus-handlers.ts'
import type { LabService } from '../../corpus/lab/service.ts'

type Flips = Pick<HandlersOf<LabThreadContract, 'lab'>, 'lab.causes' | 'lab.flipTexts'>

/** The parts of a preset that decide turns. */
const DECIDING: ReadonlySet<Part> = new Set(['belief'])

/** Details of the flips of a corpus: their texts, and the options that cause them. */
export function createFlipHandlers(lab: LabService): Flips {
  const { domainSet } = createPipelines()
  return {
    'lab.causes': ({ corpus: id, base, side }, { signal }) =>
      answering('switching', signal, async ({ onProgress = () => undefined }) => {
        const { work } = lab.get(id)
        const here = await lab.resolve(base)
        const there = await lab.resolve(side)
        const before = await work.score(here.compiled.pipeline, { signal })
        const found = await findCauses({
          base: here.files,
          other: there.files,
          parts: DECIDING,
          files: true,
          onProgress,
          outcome: async (files): Promise<Outcome> => {
            const { pipeline } = valueOrRefuse(compilePipeline(files, domainSet))
            const outcome = new Map<string, string>()
            eachFlip(before, await work.score(pipeline, { signal }), ({ turn, is }, _, names) => {
              outcome.set(String(turn), shownText(names, is))
            })
            return outcome
          },
        })
        // [T83] Turns of a corpus are decided; nothing else is computed of them.
        const listed = (group: 'stages' | 'probe' | 'bundle', parts: ReadonlySet<Part>) => {
          const causes = [...listedChanges(here.files, there.files, parts)]
          return { group, causes, flips: null, why: 'corpus' } as const
        }
        const others = [
          listed('stages', new Set<Part>(['query', 'selfSignal', 'prompt'])),
          listed('probe', new Set<Part>(['probe'])),
          listed('bundle', new Set<Part>(['bundle'])),
        ].filter(({ causes }) => causes.length > 0)
        return { kind: 'causes', ...found, others } as const
      }),
    'lab.flipTexts': async ({ corpus: id, base, side, places }) => {
      const corpus = lab.get(id)
      const { read, work } = corpus
      const here = (await lab.resolve(base)).compiled.pipeline
      const there = (await lab.resolve(side)).compiled.pipeline
      const guardOf = (chars: number) => (run: () => void) => work.watch.guard(run, chars)
      return {
        texts: places.flatMap((place) => {
          const turn = turnAt(corpus, place)
          if (turn === null) return []
          const { text } = read.corpus.turn(turn)
          return [{ ...place, ...flipText(text, here, there, guardOf) }]
        }),
      }
    },
  }
}

/** Numbers of domains differ from comparison to comparison: names do not. */
function shownText({ domain }: FoldNames, shown: number): string {
  const second = secondaryOf(shown)
  const names = [domain(primaryOf(shown)), second < 0 ? null : domain(second)]
  return JSON.stringify([...names, enrichedOf(shown)])
}
