import { compareLane } from './compare.tsx'
import { domainLane, othersLane, unusedLane } from './domains.tsx'
import { marksLane } from './marks.tsx'
import { momentumLane } from './momentum.tsx'
import { overviewLane } from './overview.tsx'
import { rolesLane } from './roles.tsx'
import { rulerLane } from './ruler.tsx'
import { signatureLane } from './signature.tsx'
import type { LaneOf } from '../lane.tsx'

/** Lanes that are made from the replay alone, in their order. */
export const OWN_LANES: ReadonlyArray<LaneOf<unknown>> = [
  rulerLane,
  rolesLane,
  domainLane,
  othersLane,
  unusedLane,
  signatureLane,
  marksLane,
  compareLane,
  momentumLane,
  overviewLane,
]
