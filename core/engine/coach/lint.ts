import type { Verdict } from '../schema/coach.ts'

/** [V12] Why a verdict should be looked at again. */
export interface CoachFinding {
  readonly kind: 'contradicts_reason' | 'runs_disagree' | 'rules_disagree'
  readonly what: string
}

/**
 * Reasons that contradict their own verdict. Only for tuning: no verdict is ever decided by the words of a reason (V6).
 */
const CONTRADICTIONS: ReadonlyArray<{
  readonly type: Verdict['type']
  readonly says: RegExp
  readonly what: string
}> = [
  {
    type: 'completion',
    says: /\b(?:no|without|lacks?|missing|lacking)\s+(?:\w+\s+){0,2}?(?:evidence|proof|output|verification|tests?)\b|\bhedg|\bnot\s+(?:done|complete|finished|verified)\b|\bunverified\b/i,
    what: 'a completion whose reason names missing evidence',
  },
  {
    type: 'status',
    says: /\b(?:asks?|asking|waiting\s+for|needs?)\s+(?:the\s+)?(?:user|person|human|approval|permission|decision)\b|\bquestion\b/i,
    what: 'sent back to the agent although its reason says that a person is asked',
  },
  {
    type: 'status',
    says: /\b(?:complete|done|finished)\s+with\s+(?:\w+\s+)?(?:evidence|proof)\b|\ball\s+evidence\b/i,
    what: 'rejected although its reason says that the work is done, with evidence',
  },
  {
    type: 'question',
    says: /\b(?:no\s+question|does\s+not\s+ask|nothing\s+is\s+asked)\b/i,
    what: 'a question whose reason says that nothing is asked',
  },
]

/**
 * [V12] Findings about one output (L37): a verdict against its own reason, two runs that disagree,
 * and rules that would have decided otherwise. `runs` are verdicts of the same output, newest first.
 */
export function lintVerdicts(runs: readonly Verdict[], rules: Verdict | null): CoachFinding[] {
  const [newest, ...older] = runs
  if (newest === undefined) return []
  const findings: CoachFinding[] = []
  if (newest.source !== 'rules' && !newest.flags.includes('low_confidence')) {
    for (const { type, says, what } of CONTRADICTIONS) {
      if (newest.type === type && says.test(newest.reason.slice(0, 2000)))
        findings.push({ kind: 'contradicts_reason', what })
    }
  }
  const other = older.find((run) => run.type !== newest.type)
  if (other !== undefined) {
    const what = `one run says ${newest.type}, another ${other.type}`
    findings.push({ kind: 'runs_disagree', what })
  }
  if (rules !== null && newest.source !== 'rules' && rules.type !== newest.type) {
    const what = `the model says ${newest.type}, the rules ${rules.type}`
    findings.push({ kind: 'rules_disagree', what })
  }
  return findings
}
