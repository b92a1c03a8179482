import type {
  ActKind,
  ActRuleId,
  ActsTrace,
  CoachExplained,
  Proof,
  SentenceAct,
} from '../../schema/coach-acts.ts'
import type { Immutable } from '../../schema/immutable.ts'
import { ownOf } from '../../schema/own.ts'

/** [V81] Display words for each act. */
const ACT_WORDS: Readonly<Record<ActKind, string>> = {
  obstacle: 'obstacle',
  request: 'request',
  narration: 'announces a step',
  plan: 'plan',
  claim: 'claim',
  proof: 'proof',
  deliverable: 'tells something',
  courtesy: 'courtesy',
}

/** Detail that the cue adds to the act. */
const HOW_WORDS: Readonly<Record<string, string>> = {
  blocker: 'stops the work',
  error: 'a failure',
  gate: 'waits for approval',
  offer: 'offers more',
  question: 'asks',
  wait: 'waits for others',
  promise: 'a promise',
  progress: 'work is left',
  ahead: 'what comes next',
  test_claim: 'about tests',
}

const PROOF_WORDS: Readonly<Record<string, string>> = {
  test_output: 'test output',
  command_output: 'command output',
  commit: 'commit',
  link: 'link',
  diff: 'diff',
  figure: 'figure',
  path: 'path',
}

interface RuleWords {
  /** Why the rule decided so, in one sentence. */
  readonly why: string
  /** The contribution of a model that reads the meaning; null if the words leave nothing open. */
  readonly model: string | null
}

/** [V81] Plain-language explanation of each rule over acts, and the contribution of a model to it. */
const RULE_WORDS: Readonly<Record<ActRuleId, RuleWords>> = {
  blank: { why: 'There is not a single word in it.', model: null },
  nothing_said: {
    why: 'All of it is shown, and no sentence says what it is.',
    model: 'A model would read the block itself.',
  },
  blocked: {
    why: 'Something stops the work, and no later sentence says that it is gone. A later claim about something else does not settle it.',
    model: 'A model would tell what stops this task from what is only mentioned.',
  },
  gate: { why: 'It waits for a decision of the person.', model: null },
  question: { why: 'It asks the person something.', model: null },
  offer: {
    why: 'It offers to do the work, and nothing was delivered yet.',
    model: 'A model would know whether the answer that it gives is all that was asked for.',
  },
  waits: { why: 'It ends with something that still runs.', model: null },
  promise: { why: 'It only promises: nothing was done or shown.', model: null },
  announced: {
    why: 'Its last sentence announces a step, and nothing is shown after it.',
    model: null,
  },
  open_end: {
    why: 'It ends with a heading, a colon or half a sentence that nothing follows.',
    model: null,
  },
  failed: {
    why: 'It reports a failure, and no later sentence says that it was repaired.',
    model: 'A model would tell the failure of this work from one that is explained.',
  },
  contradicted: {
    why: 'It claims to be done, and its own figures say that some failed. Failing figures are no proof.',
    model: 'A model would know whether the failures are part of this work.',
  },
  reported: {
    why: 'The person asked for figures, and it reports them. That some fail is the answer.',
    model: 'A model would know whether the person wanted them repaired too.',
  },
  red: { why: 'Its figures say that some failed.', model: null },
  part: { why: 'Its figures say that a part is left.', model: null },
  guessed: {
    why: 'It claims, but only guesses that it works, and shows nothing that it saw.',
    model: 'A model would weigh how much depends on the guess.',
  },
  tests: {
    why: 'It says that tests pass, and shows neither their output nor a count nor the command.',
    model: 'A model would look for the run in other words.',
  },
  left: {
    why: 'It says that work is left.',
    model: 'A model would know whether what is left belongs to the task.',
  },
  proven: {
    why: 'It claims, and evidence speaks for it.',
    model: 'A model would check that the evidence is about what was asked for.',
  },
  told: {
    why: 'It claims, and names what a reader can look up.',
    model: 'A model would ask for evidence where the task needs some.',
  },
  bare: {
    why: 'It claims, and neither shows evidence nor names anything that a reader can look up.',
    model: 'A model would know whether so small a task needs proof.',
  },
  answered: {
    why: 'It tells the person something and claims no work: an answer is what was to be delivered.',
    model: 'A model would check that it answers what was asked.',
  },
  unknown: {
    why: 'No rule knows it, so a person decides.',
    model: 'A model would read what it means: here it helps most.',
  },
}

/** [V81] Why the rules judged an output so: the rule, and the sentences with their acts and evidence. */
export function explainActs(text: string, trace: Immutable<ActsTrace>): CoachExplained {
  const decided = new Set(trace.by)
  return {
    rule: trace.rule,
    ...RULE_WORDS[trace.rule],
    more: trace.more,
    sentences: trace.sentences.map((sentence, at) => ({
      number: at + 1,
      text: plain(text.slice(...sentence.span)),
      act: sentence.act,
      words: actWords(sentence),
      evidence: sentence.proofs.map(proofWords).join('; '),
      against: sentence.proofs.some(({ sign }) => sign !== 'for'),
      decided: decided.has(at),
    })),
  }
}

/** Without the marks of lists, headings and emphasis. */
function plain(text: string): string {
  return text.replace(/^[\s#>*-]+|\*{2,}|\s+$/g, '')
}

function actWords({ act, how, guessed, settled }: Immutable<SentenceAct>): string {
  const more = how === null ? undefined : ownOf(HOW_WORDS, how)
  const parts = [
    more === undefined ? ACT_WORDS[act] : `${ACT_WORDS[act]}: ${more}`,
    ...(guessed ? ['a guess'] : []),
    ...(settled ? ['settled later'] : []),
  ]
  return parts.join(', ')
}

function proofWords({ kind, sign, scope }: Immutable<Proof>): string {
  const what = scope ?? ownOf(PROOF_WORDS, kind) ?? kind
  return sign === 'part' ? `in part: ${what}` : `${sign}: ${what}`
}
