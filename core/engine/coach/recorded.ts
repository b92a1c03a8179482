import { type SessionTexts, textOf } from '../schema/event.ts'

/** Event names under which a file records a model's answer about an output (I82, L60). */
const NAMES: ReadonlySet<string | null> = new Set(['model_answer', 'verdict'])
/** An answer is small; of several runs the first ones count. */
const LONGEST = 20_000
const MOST = 8

/**
 * [L60] Answers of models that a file recorded: `meta` events behind the output that they are about, up to
 * the agent's next one. As raw text, by the output's `seq`, in the order of the file.
 */
export function recordedAnswers({
  events,
  texts,
}: SessionTexts): ReadonlyMap<number, readonly string[]> {
  const answers = new Map<number, readonly string[]>()
  let output: number | null = null
  for (const event of events) {
    if (event.kind === 'agent') output = event.seq
    if (event.kind === 'user') output = null
    const isAnswer = event.kind === 'meta' && NAMES.has(event.name)
    if (!isAnswer || output === null || event.chars > LONGEST) continue
    const before = answers.get(output) ?? []
    if (before.length < MOST) answers.set(output, [...before, textOf(event, texts)])
  }
  return answers
}
