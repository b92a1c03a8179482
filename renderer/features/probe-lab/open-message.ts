import { selectSeq } from '../../app/select.ts'
import { patchView } from '../../app/store.ts'

/** Closes the lab and shows a message in the Probe tab. */
export function openMessage(seq: number): void {
  patchView({ dialog: null, tab: 'probe', show: 'all' })
  selectSeq(seq)
}
