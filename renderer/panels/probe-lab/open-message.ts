import { selectSeq } from '../../state/select.ts'
import { refreshProbe } from '../../state/probe.ts'
import { patchView } from '../../state/store.ts'

/** Closes the lab and shows a message in the Probe tab. */
export function openMessage(seq: number): void {
  patchView({ dialog: null, tab: 'probe', show: 'all' })
  selectSeq(seq)
  refreshProbe()
}
