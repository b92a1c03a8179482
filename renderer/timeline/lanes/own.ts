import type { LaneOf } from '../lane.tsx'
import { ambiguousLane } from './ambiguous.tsx'
import { domainLane, othersLane, unusedLane } from './domains.tsx'
import { compareLane, marksLane } from './marks.tsx'
import { momentumLane } from './momentum.tsx'
import { rolesLane } from './roles.tsx'
import { overviewLane, rulerLane } from './ruler.tsx'
import { signatureLane } from './signature.tsx'

/** Lanes that are made from the replay alone, in their order. */
export const OWN_LANES: ReadonlyArray<LaneOf<unknown>> = [
  rulerLane,
  rolesLane,
  domainLane,
  othersLane,
  unusedLane,
  signatureLane,
  marksLane,
  ambiguousLane,
  compareLane,
  momentumLane,
  overviewLane,
]
