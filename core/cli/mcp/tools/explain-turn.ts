import { z } from 'zod'
import { createCorpus } from '../../../engine/lab/corpus/corpus.ts'
import { explainTurn } from '../../../engine/lab/why/explain.ts'
import { textOf } from '../../../engine/schema/event.ts'
import type { Counterfactual } from '../../../engine/schema/lab.ts'
import type { Session } from '../../../engine/schema/session.ts'
import { turnsOf } from '../../../engine/turns.ts'
import { createCorpusWork } from '../../../host/corpus/lab/corpus-work.ts'
import type { Waiting } from '../../../host/corpus/waiting.ts'
import { traceTurn } from '../../../host/replay/session/trace-turn.ts'
import type { ResolvedSide } from '../../../host/drafts/sides.ts'
import type { Desk } from '../desk.ts'
import { explained, Explained, wordsOf } from '../explained.ts'
import { withTurn } from '../handle.ts'
import { TURN, UNDER, sideOf } from '../inputs.ts'
import { READS, tool } from '../tool.ts'

/** `turnscope explain FILE#TURN`, and `turnscope try TEXT`. */
export const explainTool = tool({
  name: 'explain_turn',
  title: 'Explain a turn',
  description:
    'Says why a turn, or a text by itself, was decided as it was: signals that fired, scores, the rule of momentum, what was injected; why other domains were not chosen, which of their signals were nearest, and the smallest changes that would flip it. `wanted` names the domain that it should have had.',
  input: z.strictObject({
    turn: TURN.optional(),
    text: z.string().max(100_000).optional().describe('Instead of a turn.'),
    wanted: z
      .string()
      .max(200)
      .optional()
      .describe('Why not this domain? Left out: the best others.'),
    ...UNDER,
  }),
  output: Explained,
  hints: READS,
  run: async (desk, { turn, text, wanted, ...under }, waiting) => {
    const side = await desk.resolve(sideOf(desk, under))
    return withTurn(desk, { turn, text }, { side, waiting }, async (found) => {
      const replay = await desk.replay(side, found.session, waiting)
      const trace = traceTurn(replay, found.turn, desk.limit)
      const near = await nearestFlips(desk, { side, waiting }, found, wanted ?? null)
      const value = explained(trace, near, { address: found.address, wanted: wanted ?? null })
      return { value, text: wordsOf(value) }
    })
  },
})

/** [T14] Changes that would have made other domains the primary, computed over the session of the turn. */
async function nearestFlips(
  desk: Desk,
  { side, waiting }: { readonly side: ResolvedSide; readonly waiting: Waiting },
  { session, turn }: { readonly session: Session; readonly turn: number },
  wanted: string | null,
): Promise<readonly Counterfactual[]> {
  const { pipeline, classify } = side.compiled
  // [K12] Skills fire together: nothing is instead of another.
  if (pipeline.belief.rules.allTogether) return []
  const turns = turnsOf(session.events, classify).map(({ seq, kind, ...event }) => ({
    seq,
    kind,
    text: textOf(event, session.texts),
  }))
  const work = createCorpusWork({ corpus: createCorpus([{ id: session.id, turns }]) }, desk.limit)
  const scored = await work.score(pipeline, waiting)
  const question = explainTurn(scored, new Map(), { turn, domain: wanted }, work.rescore)
  return work.run(question, waiting)
}
