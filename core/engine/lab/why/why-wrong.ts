import { EVENT_CODES, type ReplayColumns, RULE_CODES } from '../../schema/replay.ts'

/** Reason why the expected domain did not win: momentum, no signal, or too low a score. */
export interface WhyWrong {
  /** Score of the expected domain on this text. */
  readonly expected: number
  /** Primary of this text alone, with its score. */
  readonly alone: string
  readonly aloneScore: number
  /** Null if momentum did not change the primary; else its effect and the rule. */
  readonly momentum: {
    readonly event: string
    readonly rule: string
    readonly held: string
  } | null
}

type Columns = Pick<
  ReplayColumns,
  | 'domains'
  | 'primary'
  | 'secondary'
  | 'scoredPrimary'
  | 'event'
  | 'rule'
  | 'scoreStart'
  | 'scorePairs'
>

/** [T70] The same of one turn of a replay. */
export function whyWrong(columns: Columns, turn: number, expected: string): WhyWrong {
  const { domains, primary, secondary, scoredPrimary, event, rule } = columns
  const name = (number: number | undefined) => domains[number ?? -1] ?? ''
  const alone = scoredPrimary[turn] ?? -1
  const held = [name(primary[turn]), name(secondary[turn])].filter((one) => one !== '')
  return {
    expected: scoreOf(columns, turn, domains.indexOf(expected)),
    alone: name(alone),
    aloneScore: scoreOf(columns, turn, alone),
    momentum:
      alone === primary[turn]
        ? null
        : {
            event: EVENT_CODES[event[turn] ?? 0] ?? '',
            rule: RULE_CODES[rule[turn] ?? -1] ?? '',
            held: held.toSorted().join('+'),
          },
  }
}

function scoreOf({ scoreStart, scorePairs }: Columns, turn: number, domain: number): number {
  const end = scoreStart[turn + 1] ?? 0
  for (let at = scoreStart[turn] ?? end; at < end; at += 2)
    if (scorePairs[at] === domain) return scorePairs[at + 1] ?? 0
  return 0
}

/** [T47] [T70] Momentum is not the same as a missing signal: which of the two it was decides what to edit. */
export function wrongWords(expected: string, why: WhyWrong): string {
  const had = `${expected} had ${why.expected}`
  if (why.momentum !== null) {
    const { event, rule, held } = why.momentum
    const alone = why.alone === expected ? had : `${why.alone} had ${why.aloneScore}, ${had}`
    const did = event === 'resist' || event === 'hold' ? 'held' : 'kept'
    return `${alone}, momentum ${rule} ${did} ${held}`
  }
  if (why.expected === 0) return `no signal of ${expected} fired`
  return `${had}, ${why.alone} ${why.aloneScore}`
}
