import type { FittedWeight, FittedWeights } from '../../schema/weights.ts'
import { measuredWords } from '../queue/words.ts'

type Of = Pick<FittedWeights, 'note' | 'wins'>

/** [L97] What to do with the weights, in half a sentence. */
export function adviceOf({ note, wins }: Of): string {
  if (note !== null) return note
  return wins ? 'weights win beyond chance' : 'weights are not better beyond chance'
}

/** [L97] Whether weights are worth it, for people: the same words in the window and on the command line. */
export function weightsVerdict(found: FittedWeights): string {
  const { note, right, weighted, fixes, breaks, won, lost } = found
  if (note !== null) return `No weights: ${note}.`
  return [
    `On held folds ${measuredWords(weighted)} right with weights (an accepted answer is right), ${measuredWords(right)} as the file is;`,
    `${fixes} become right, ${breaks} wrong; ${won} of the folds gain, ${lost} lose:`,
    `${adviceOf(found)}.`,
  ].join(' ')
}

/** `1.55 (1)  12 of 14`: its fitted weight, its current weight, and its record. */
export function figures({ weight, now, right, fired }: FittedWeight): string {
  return `${weight.toFixed(2)} (${now})`.padEnd(13) + ` ${right} of ${fired}`.padEnd(15)
}
