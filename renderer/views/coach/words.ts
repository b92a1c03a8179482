import type {
  CoachEstimate,
  CoachFailure,
  CoachKeyState,
} from '../../../core/engine/schema/coach-wire.ts'
import type { VerdictFlag, VerdictSource } from '../../../core/engine/schema/coach.ts'
import type { ActKind } from '../../../core/engine/schema/coach-acts.ts'
import type { Tone } from '../../ui/parts.tsx'
import { type Words, told } from '../../ui/words.ts'

/** Display text of each flag. */
export const FLAG_WORDS: Words<VerdictFlag> = {
  empty: told('empty', 'The output says nothing.'),
  empty_promise: told('empty promise', 'It promises to do something and does not do it.', 'warn'),
  narration: told('only narration', 'It announces the next step and stops there.', 'warn'),
  unfinished: told('unfinished', 'It says itself that work is left.', 'warn'),
  approval_gate: told(
    'waits for approval',
    'A decision of the person is needed before it goes on.',
    'accent',
  ),
  hedging: told('hedging', 'The result is a guess, not a finding.', 'warn'),
  no_evidence: told(
    'evidence missing',
    'It claims a result and shows nothing that proves it.',
    'warn',
  ),
  no_test_output: told(
    'test output missing',
    'It says that tests pass and does not show what they printed.',
    'warn',
  ),
  unrecognised: told(
    'not recognised',
    'No rule knows this output, so it is a question for the person.',
  ),
  low_confidence: told(
    'low confidence',
    'The model was not sure enough: it became a question, its coaching is kept for display.',
    'warn',
  ),
  cut: told('cut', 'The model saw a shortened text.'),
  unparsable: told(
    'answer unreadable',
    'The model’s answer could not be read; the rules’ verdict stands.',
    'bad',
  ),
  bad_type: told('unknown type', 'The model named a type that does not exist.', 'bad'),
  bad_confidence: told(
    'confidence unreadable',
    'The model’s confidence is no number from 0 to 1.',
    'bad',
  ),
  coaching_on_pass: told(
    'coaching although it passes',
    'The model wrote coaching for an output that passes; it is not sent.',
    'warn',
  ),
  no_coaching: told(
    'no coaching',
    'The model sent it back without saying why; the rules’ coaching is used.',
    'warn',
  ),
  contradicted: told(
    'figures against it',
    'It claims to be done, and its own figures say that some failed.',
    'bad',
  ),
}

/** [V81] Severity of an act for the verdict. */
export const ACT_TONES: Readonly<Record<ActKind, Tone>> = {
  obstacle: 'bad',
  request: 'accent',
  narration: 'warn',
  plan: 'warn',
  claim: 'plain',
  proof: 'good',
  deliverable: 'plain',
  courtesy: 'plain',
}

export const SOURCE_WORDS: Words<VerdictSource> = {
  rules: told('by the rules', 'Decided on this machine; nothing was sent.'),
  model: told('by the model', 'The model was asked in this window’s time.'),
  cache: told(
    'by the model, kept',
    'The model answered earlier; the same question is never paid for twice.',
  ),
  recorded: told('recorded', 'Read out of a recorded answer.'),
}

type MarkTone = 'proof' | 'missing' | 'asks' | 'stops' | 'plain'
type MarkWords = Readonly<Record<string, { readonly words: string; readonly tone: MarkTone }>>

/** Meaning of a mark in the output, by the kind of its cue or evidence. */
export const MARK_WORDS: MarkWords = {
  test_output: { words: 'test output', tone: 'proof' },
  command_output: { words: 'command output', tone: 'proof' },
  commit: { words: 'commit', tone: 'proof' },
  link: { words: 'link', tone: 'proof' },
  diff: { words: 'diff', tone: 'proof' },
  figure: { words: 'figure', tone: 'proof' },
  path: { words: 'path', tone: 'proof' },
  question: { words: 'question', tone: 'asks' },
  gate: { words: 'waits for the person', tone: 'asks' },
  courtesy: { words: 'courtesy', tone: 'plain' },
  blocker: { words: 'blocker', tone: 'stops' },
  error: { words: 'failure', tone: 'stops' },
  claim: { words: 'claim', tone: 'plain' },
  test_claim: { words: 'claim about tests', tone: 'plain' },
  hedge: { words: 'guess', tone: 'missing' },
  promise: { words: 'promise', tone: 'missing' },
  narration: { words: 'announcement', tone: 'missing' },
  progress: { words: 'unfinished work', tone: 'missing' },
  act: { words: 'act', tone: 'plain' },
  offer: { words: 'offer', tone: 'asks' },
  wait: { words: 'waits for others', tone: 'missing' },
  ahead: { words: 'what comes next', tone: 'missing' },
}

/** The missing evidence for each flag, shown next to the claim. */
export const LACKS: Readonly<Partial<Record<VerdictFlag, string>>> = {
  no_evidence: 'proof is missing: command output, commit, link or diff',
  no_test_output: 'the output of the tests is missing',
  hedging: 'a finding is missing: this is a guess',
  contradicted: 'a run without failures is missing',
  empty_promise: 'the act is missing: this is a promise',
  narration: 'the result is missing: this announces a step',
  unfinished: 'the rest of the work is missing',
}

export const FAILURE_TITLES: Readonly<Record<CoachFailure['kind'], string>> = {
  off: 'The model is off',
  no_key: 'There is no key',
  unauthorized: 'The key was refused',
  rate_limited: 'Too many calls',
  timeout: 'No answer in time',
  unreachable: 'The address does not answer',
  server_error: 'The provider failed',
  cut_off: 'The answer broke off',
  refused: 'The model refused',
  too_large: 'Too large for the model',
  malformed: 'The answer could not be read',
  cancelled: 'Cancelled',
  restricted: 'The workspace is not trusted',
  ceiling: 'The ceiling is reached',
}

export const FINDING_WORDS: Readonly<Record<string, string>> = {
  contradicts_reason: 'against its own reason',
  runs_disagree: 'runs disagree',
  rules_disagree: 'rules disagree',
}

/** Location of the key, in one sentence. */
export function keyText({ from, where, why }: CoachKeyState): string {
  const at = where ?? 'the place for it'
  const because = why === null ? '' : ` (${why})`
  switch (from) {
    case 'none':
      return why === null ? 'No key is known.' : `No key is used: ${why}.`
    case 'environment':
      return `The key comes from the environment variable ${at}.`
    case 'keychain':
      return `The key is kept by the system’s keychain (${at}).`
    case 'file':
      return `The key is kept in a file that only you can read: ${at}${because}`
  }
}

/** `$0.0031`, `$1.20`. An unknown amount is named as such. */
export function dollarsText(dollars: number | null): string {
  if (dollars === null) return 'unknown: no price is set'
  if (dollars === 0) return '$0'
  return dollars < 0.01 ? `$${dollars.toPrecision(2)}` : `$${dollars.toFixed(2)}`
}

/** Cost before anything is sent. Says which figure is an estimate and which is a limit. */
export function costText({ dollars }: Pick<CoachEstimate, 'dollars'>): string {
  return dollars === null
    ? dollarsText(null)
    : `about ${dollarsText(dollars)}, with every answer at its limit`
}
