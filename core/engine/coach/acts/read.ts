import type { CoachMark } from '../../schema/coach.ts'
import type { Proof, SentenceAct } from '../../schema/coach-acts.ts'
import { ownOf } from '../../schema/own.ts'
import type { Findings, FoundCue } from '../cues.ts'
import { type Figure, figuresOf } from './figures.ts'
import { namesCommand, particularsIn } from './particulars.ts'
import { ABOUT_RESULT, ACT_OF_CUE, COUNTED, NOT_WITH_COURTESY, SETTLED_BY } from './table.ts'

/** A sentence with all cues that count in it, for the rules over acts. */
export interface ReadSentence extends SentenceAct {
  readonly cues: readonly FoundCue[]
  /** It names what was run. */
  readonly command: boolean
  /** As the agent says it: what it shows is blanked out. */
  readonly text: string
}

/** [V70] The acts of an output: one a sentence, with the evidence that belongs to it. */
export function readActs(text: string, found: Findings): readonly ReadSentence[] {
  const proofs = proofsBySentence(text, found)
  const cues = Map.groupBy(found.cues, ({ sentence }) => sentence)
  const read = found.sentences.map(({ start, end, text: said }, at): ReadSentence => {
    const own = counting(cues.get(at) ?? [])
    const evidence = proofs.get(at) ?? []
    const shown = text.slice(start, end)
    const particulars = particularsIn(shown) + evidence.length
    return {
      ...{ span: [start, end], ...actOf(own, evidence), settled: false },
      ...{ particulars, proofs: evidence, cues: own, text: said },
      command: namesCommand(shown),
    }
  })
  return read.map((sentence, at) =>
    isSettled(sentence, read.slice(at + 1)) ? { ...sentence, settled: true } : sentence,
  )
}

function counting(cues: readonly FoundCue[]): readonly FoundCue[] {
  const isCourteous = cues.some(({ kind }) => kind === 'courtesy')
  return isCourteous ? cues.filter(({ kind }) => !NOT_WITH_COURTESY.has(kind)) : cues
}

type Told = Pick<SentenceAct, 'act' | 'how' | 'cue' | 'guessed'>

function actOf(cues: readonly FoundCue[], proofs: readonly Proof[]): Told {
  const hedges = cues.filter(({ kind }) => kind === 'hedge')
  const isGuess = hedges.some(({ id }) => ABOUT_RESULT.has(id))
  const isCounted = proofs.some(({ kind }) => kind === COUNTED)
  for (const [kind, act] of ACT_OF_CUE) {
    const cue = cues.find((one) => one.kind === kind)
    if (cue === undefined || (kind === 'hedge' && !isGuess)) continue
    // "12 tests passed" claims nothing that it does not count.
    if (kind === 'test_claim' && isCounted) break
    return { act, how: kind, cue: cue.id, guessed: act === 'claim' && hedges.length > 0 }
  }
  return { act: isCounted ? 'proof' : 'deliverable', how: null, cue: null, guessed: false }
}

/**
 * [V72] Evidence belongs to the sentence that it stands in; what a block shows belongs to the sentence
 * before it, or to the first one.
 */
function proofsBySentence(
  text: string,
  { sentences, evidence }: Findings,
): ReadonlyMap<number, readonly Proof[]> {
  const figures = figuresOf(text)
  const counted = figures.map(({ sign, scope, start, end }): Proof => ({
    kind: COUNTED,
    sign,
    scope,
    span: [start, end],
  }))
  const shown = evidence
    .filter((mark) => !speaksAgainst(mark, figures))
    .map(({ kind, span }): Proof => ({ kind, sign: 'for', scope: null, span: [...span] }))
  return Map.groupBy([...shown, ...counted], ({ span: [start] }) =>
    Math.max(
      0,
      sentences.findLastIndex((sentence) => sentence.start <= start),
    ),
  )
}

const RUN: ReadonlySet<string> = new Set(['test_output', 'command_output'])
/** A summary line: figures so near to an output are about it. UTF-16 units. */
const NEAR = 40

/** [V72] Output of a run whose own figures fail is no proof: the figures alone speak. */
function speaksAgainst({ kind, span }: CoachMark, figures: readonly Figure[]): boolean {
  const [from, to] = span
  return (
    RUN.has(kind) &&
    figures.some(({ sign, start, end }) => sign !== 'for' && start < to + NEAR && end > from - NEAR)
  )
}

/** [V74] Whether a later sentence says that an obstacle is gone. */
function isSettled({ act, how }: Told, later: readonly ReadSentence[]): boolean {
  if (act !== 'obstacle' || how === null) return false
  const kinds = ownOf(SETTLED_BY, how) ?? []
  return later.some(({ cues }) => cues.some(({ kind }) => kinds.includes(kind)))
}
