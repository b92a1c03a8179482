import type { CoachRules } from '../../schema/coach.ts'
import { codeIn } from './particulars.ts'
import type { ReadSentence } from './read.ts'

/** Input of the rules over acts: the sentences, how the output ends, and the kind of user request. */
export interface Message {
  readonly sentences: readonly ReadSentence[]
  /** Places of the sentences, courtesies aside. */
  readonly said: readonly number[]
  /** Position of the last of them, or -1 if none exists. */
  readonly last: number
  readonly end: MessageEnd
  /** Code and evidence that the output names anywhere. */
  readonly particulars: number
  /** Whether the user asked for words rather than work; null if unknown. */
  readonly asked: boolean | null
  /** [V76] The support a claim needs: particulars, or evidence that is shown. */
  readonly claims: CoachRules['claims']
}

/** `shown`: a block ends the output; `open`: a heading or a colon that nothing follows; `cut`: half a sentence. */
type MessageEnd = 'whole' | 'shown' | 'open' | 'cut'

/** A block that is never closed shows that the output was cut off, not that it ends with one. */
const FENCE_END = /(?:^|\n)[ \t]{0,8}(?:`{3,}|~{3,})[ \t]*$/
const HEADING = /^#{1,6}\s+\S/
const COLON = /[:：][*_`\s]{0,8}$/
/** Words that no sentence ends with. */
const HANGING = /\s(?:with|without|the|an|and|or|of|from|into|that|which|because|our|their|my)$/i
/** Longer lines end with a word all the same; only their end is looked at. */
const LINE_END = 400

/** [V77] Returns how an output ends, judged by its last line. */
export function endOf(text: string): MessageEnd {
  const trimmed = text.trimEnd()
  if (FENCE_END.test(trimmed.slice(-LINE_END))) return showsCommand(trimmed) ? 'whole' : 'shown'
  const line = trimmed.slice(trimmed.lastIndexOf('\n') + 1).trim()
  if (HEADING.test(line) || COLON.test(line.slice(-LINE_END))) return 'open'
  return HANGING.test(line.slice(-LINE_END)) ? 'cut' : 'whole'
}

const OPENING = /^[ \t]{0,8}(?:`{3,}|~{3,})[ \t]*([\w-]{0,40})/
const SHELL = /(?:^|_)(?:ba|z|fi|k)?sh(?:$|_)|^(?:shell|cmd|bat|powershell|pwsh|ps1|terminal)$/i

/** [V77] A command in a closing block is a command to run, not output. */
function showsCommand(text: string): boolean {
  const infos = text.split('\n').flatMap((line) => OPENING.exec(line)?.slice(1) ?? [])
  // Fences alternate between opening and closing. The one that opened the last block is the second to last.
  return SHELL.test(infos.at(-2) ?? '')
}

const ASKS = [
  /[?？]/,
  /^\W{0,20}(?:what|why|how|who|whom|whose|where|when|which|is|are|was|were|do|does|did|can|could|should|would|will|has|have|explain|describe|tell|show|list|compare|review|analy[sz]e|check|summari[sz]e|find|figure|look|explore|brainstorm|investigate|identify|run)\b/i,
]
/** Users state their request early, so only this many UTF-16 units are read. */
export const ASKED_CHARS = 4000

/** [V78] Whether a user message asks for words rather than work; null if no message is known. */
function asksOf(asked: string | null): boolean | null {
  if (asked === null) return null
  const beginning = asked.slice(0, ASKED_CHARS)
  return ASKS.some((pattern) => pattern.test(beginning))
}

/** The output with all that the rules look at. */
export function messageOf(
  text: string,
  sentences: readonly ReadSentence[],
  { asked, claims }: { readonly asked: string | null } & Pick<CoachRules, 'claims'>,
): Message {
  const said = sentences.flatMap(({ act }, at) => (act === 'courtesy' ? [] : [at]))
  const proofs = sentences.reduce((sum, one) => sum + one.proofs.length, 0)
  return {
    sentences,
    said,
    last: said.at(-1) ?? -1,
    end: endOf(text),
    claims,
    particulars: codeIn(text) + proofs,
    asked: asksOf(asked),
  }
}
