import type { Measured, QueueItem, QueueReason } from '../../schema/queue.ts'

type Of = Pick<QueueItem, 'decided' | 'alone' | 'scores' | 'opinion'>

const tied = ({ scores }: Of): string => {
  const best = scores[0]?.score
  const names = scores.filter(({ score }) => score === best).map(({ domain }) => domain)
  return `a tie at ${best ?? 0}: ${names.join(', ')}`
}

const WORDS: Readonly<Record<QueueReason, (of: Of) => string>> = {
  no_signal: ({ alone }) => `no signal at all, ${alone} by default`,
  tie: tied,
  margin: ({ scores }) => {
    const [first, second] = scores
    const other = second === undefined ? 'nothing' : `${second.domain} ${second.score}`
    return `by one: ${first?.domain ?? ''} ${first?.score ?? 0}, ${other}`
  },
  held: ({ decided, alone }) => `momentum holds ${decided}, the text says ${alone}`,
  opinion: ({ opinion }) =>
    opinion === null
      ? 'the second opinion says another domain'
      : `the second opinion says ${opinion.domain} (${Math.round(opinion.share * 100)} %)`,
}

/** [L81] Why a turn is in the queue, for people: one sentence a reason. */
export function reasonWords(item: Of & Pick<QueueItem, 'reasons'>): readonly string[] {
  return item.reasons.map((reason) => WORDS[reason](item))
}

/** [L84] `12 of 50 (24 %, 14 to 37)`; nothing of nothing is a dash. */
export function measuredWords({ hits, of, low, high }: Measured): string {
  if (of === 0 || low === null || high === null) return '–'
  const percent = (value: number): string => String(Math.round(value * 100))
  return `${hits} of ${of} (${percent(hits / of)} %, 95 % interval ${percent(low)} to ${percent(high)})`
}
