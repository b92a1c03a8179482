/** An output of the agent that belongs to an event, and its position relative to the event. */
export interface TurnOutput {
  readonly seq: number
  readonly place: 'this' | 'before' | 'after'
}

/**
 * [F240] The output that belongs to an event: the event itself if it is an output; else the last output between the
 * event's turn and the event; else the last one before the next turn, which is the answer to the turn. For a
 * turn without output: the last output before the turn, else the first after it.
 * @param outputs events of the agent's texts, ascending
 * @param turns events that are turns, ascending
 * @returns null without outputs
 */
export function outputAt(
  outputs: ArrayLike<number>,
  turns: ArrayLike<number>,
  event: number,
): TurnOutput | null {
  const nextTurn = firstAfter(turns, event)
  const turn = turns[nextTurn - 1] ?? -1
  const afterIt = firstAfter(outputs, event)
  const before = outputs[afterIt - 1]
  const beyond = firstAfter(outputs, (turns[nextTurn] ?? Infinity) - 1)
  const answer = beyond > afterIt ? outputs[beyond - 1] : undefined
  if (before !== undefined && (before >= turn || answer === undefined))
    return { seq: before, place: before === event ? 'this' : 'before' }
  const after = answer ?? outputs[0]
  return after === undefined ? null : { seq: after, place: 'after' }
}

/** Index of the first number above `value` in an ascending list, by bisection: read at every step of a held key. */
function firstAfter(numbers: ArrayLike<number>, value: number): number {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle] ?? 0) <= value) low = middle + 1
    else high = middle
  }
  return low
}
