import { flag } from '../kit/options.ts'

/** [V38] For commands that may use what needs trust. Nothing is kept. */
export const TRUST = {
  trust: flag(
    '--trust',
    'for this run, use the addresses, variables, drivers and git that the workspace names',
  ),
}
