import type { Words } from '../annotate.ts'
import { SCHEMA_WORD, signalWords } from './common.ts'

const QUOTE = '`{quote}` stands for the words that gave rise to it.'

const CUES = {
  question: 'Asks the person something.',
  gate: 'Waits for a decision or an approval.',
  courtesy: 'A courtesy that asks nothing ("let me know if you have questions").',
  blocker: 'Something stops the work.',
  error: 'Something failed.',
  claim: 'Says that work is done.',
  test_claim: 'Says that tests pass.',
  hedge: 'Guesses ("should work now").',
  promise: 'Promises to do something later.',
  narration: 'Announces the next step without taking it.',
  progress: 'Says that work is going on.',
  act: 'Says what was done.',
  answer: 'Answers what was asked.',
  offer: 'Offers to do something more.',
  wait: 'Says that it waits for something.',
  settle: 'Says that an obstacle is gone.',
  repair: 'Says that a failure was repaired.',
  ahead: 'Speaks of what comes next.',
} as const

const EVIDENCE = {
  test_output: 'Output of a test runner.',
  command_output: 'Output of a command.',
  commit: 'A commit.',
  link: 'A link.',
  diff: 'A diff.',
  figure: 'A figure.',
  path: 'A path of a file. It says where something is, and proves nothing alone.',
} as const

const SIGNAL = 'A pattern in Python dialect by itself, or an object with more to say.'

export const COACH_WORDS: Words = {
  '': 'The rules by which the coach judges an output of the agent without a model. What no rule recognises is a question for the person.',
  $schema: SCHEMA_WORD,
  minConfidence: {
    text: 'Least confidence, 0 to 1, with which an answer of a model counts. Below it the verdict is a question.',
    examples: [0.8],
  },
  maxChars: {
    text: 'Characters (UTF-16 units) of an output that a model gets at most, from 200 on. Of a longer one it gets the beginning, the end, and lines with evidence.',
    examples: [12000],
  },
  claims: {
    text: 'What a claim that work is done passes with.',
    values: {
      told: 'It names something that a reader can look up.',
      shown: 'The output itself holds the evidence.',
    },
  },
  coaching: 'What the agent is told, for each reason why an output does not pass.',
  'coaching.empty': 'Message sent when the output is empty.',
  'coaching.empty_promise': `Of a promise in the place of a result. ${QUOTE}`,
  'coaching.narration': `Of a next step that was announced and not taken. ${QUOTE}`,
  'coaching.hedging': `Of a guess. ${QUOTE}`,
  'coaching.no_evidence': `Of a claim that nothing proves. ${QUOTE}`,
  'coaching.no_test_output': `Of a claim about tests without their output. ${QUOTE}`,
  'coaching.contradicted': `Of a claim that its own figures speak against. ${QUOTE}`,
  continuation:
    'What the agent is told to go on with. `{skill}`, `{plan}` and `{criteria}` are filled in.',
  'continuation.skill': 'By the name of the active skill.',
  'continuation.anySkill': 'Where any other skill is active.',
  'continuation.plan': 'Where there is a plan and no skill.',
  'continuation.plain': 'Where nothing is known.',
  cues: 'Patterns that mean something in a sentence that the agent says itself. Code and quotations are left out.',
  'cues[].id': 'Name of the cue, unique in the list.',
  'cues[].kind': { text: 'What a sentence with the cue is.', values: CUES },
  ...signalWords('cues[].pattern', SIGNAL),
  ...signalWords(
    'cues[].unless',
    'The cue does not count in a sentence that this pattern matches.',
  ),
  evidence:
    'Patterns of evidence, looked for everywhere in the output, in code and quotations too.',
  'evidence[].id': 'Name of the pattern, unique in the list.',
  'evidence[].kind': { text: 'What it is evidence of.', values: EVIDENCE },
  ...signalWords('evidence[].pattern', SIGNAL),
}
