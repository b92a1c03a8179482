import { adviserOf } from '../../../engine/lab/opinion/opinion.ts'
import { proposeSignals } from '../../../engine/lab/propose/propose.ts'
import { weighSignals } from '../../../engine/lab/weights/weights.ts'
import type { HandlersOf } from '../../../wire/rpc.ts'
import type { LabThreadContract } from '../../../wire/threads.ts'
import { answering } from '../../corpus/lab/corpus-handlers.ts'
import { createSources } from '../../corpus/lab/sources.ts'
import { showQueue, unembedded } from './queue.ts'
import type { LabService } from '../../corpus/lab/service.ts'

/** The part of the lab's thread in a list of turns to label: it has texts, labels and scores, and keeps vectors. */
export function createQueueThreadHandlers(lab: LabService): HandlersOf<LabThreadContract, 'queue'> {
  return {
    'queue.texts': async ({ corpus: id, side }, waiting) => {
      const corpus = lab.get(id)
      const { scored } = await lab.score(corpus, side, waiting)
      const { turns, texts } = unembedded(corpus.read, scored, corpus.vectors)
      return { turns, texts: [...texts] }
    },
    'queue.vectors': ({ corpus: id, turns, dimensions, values }) => {
      const { vectors } = lab.get(id)
      for (const [at, turn] of turns.entries()) {
        const own = values.slice(at * dimensions, (at + 1) * dimensions)
        vectors.set(turn, Float32Array.from(own))
      }
      return {}
    },
    'queue.propose': ({ corpus: id, side, domain, most }, { signal }) =>
      answering('comparing', signal, async (waiting) => {
        const corpus = lab.get(id)
        const { read, work, vectors } = corpus
        const { scored } = await lab.score(corpus, side, waiting)
        const { labels } = read
        const adviser = await work.run(adviserOf(labels, vectors), waiting)
        const asked = { scored, labels, sourceOf: createSources(read).of, domain, most, adviser }
        const found = await work.run(proposeSignals(asked, work.rescore), waiting)
        return { kind: 'propose', ...found } as const
      }),
    'queue.weights': ({ corpus: id, side }, { signal }) =>
      answering('comparing', signal, async (waiting) => {
        const corpus = lab.get(id)
        const { read, work } = corpus
        const { scored } = await lab.score(corpus, side, waiting)
        const asked = { scored, labels: read.labels, sourceOf: createSources(read).of }
        const found = await work.run(weighSignals(asked, work.rescore), waiting)
        return { kind: 'weights', ...found } as const
      }),
    'queue.turns': ({ corpus: id, side, list, most, note }, { signal }) =>
      answering('comparing', signal, async (waiting) => {
        const corpus = lab.get(id)
        const { read, work, vectors } = corpus
        const { scored } = await lab.score(corpus, side, waiting)
        const asked = { read, scored, vectors, watch: work.watch, list, most, note }
        return { kind: 'queue', ...(await work.run(showQueue(asked), waiting)) } as const
      }),
  }
}
