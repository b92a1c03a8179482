import { Footprints } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { declineOffer, startTour } from './play.ts'
import { useTours } from './store.ts'

/** The tour that a newcomer is offered. */
const FIRST = 'st-003'

/** [U131] On a first run a tour is offered, and nothing is done before it is answered. */
export function TourOffer() {
  const isAnswered = useTours((state) => state.isAnswered)
  if (isAnswered) return null
  return (
    <section
      className="tour-offer edge row wrap gap-12 rounded on-panel"
      aria-label="First time here?"
    >
      <Footprints size={20} aria-hidden />
      <p className="grow shrink">
        <strong>First time here?</strong> Five stops through one session: what was classified and
        why, what momentum did, what would have changed it, and what an edit does.
      </p>
      <Button onClick={() => void startTour(FIRST)}>Take the tour</Button>
      <Button kind="link" onClick={declineOffer}>
        Not now
      </Button>
    </section>
  )
}
