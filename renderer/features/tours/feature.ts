import { linkPart } from '../../app/link.ts'
import { type Feature, opens } from '../../app/feature.ts'
import { onDemand } from '../../app/on-demand.tsx'
import type { State, TourAt } from '../../app/store.ts'
import { closeTour, followDue, followTour, stepTour } from './play.ts'
import { TourOffer } from './offer.tsx'
import { TourEntries } from './palette.tsx'
import { TourPlayer } from './player.tsx'
import { followTours, patchTours } from './store.ts'
import './tours.css'

const TourChoice = onDemand(async () => (await import('./page-tour.tsx')).TourChoice)
const ToursDialog = onDemand(async () => (await import('./tours-dialog.tsx')).ToursDialog)
const StopDialog = onDemand(async () => (await import('./stop-dialog.tsx')).StopDialog)

const taking = { words: 'on a tour', holds: ({ view }: State) => view.tour !== null }

/** `st-003.2`: the second stop. */
function readAt(text: string | null): TourAt | null {
  const [, id, step] = /^([a-z0-9][a-z0-9-]{0,59})\.(\d{1,2})$/u.exec(text ?? '') ?? []
  return id === undefined || Number(step) < 1 ? null : { id, step: Number(step) - 1 }
}

export const touring: Feature = {
  start: () => {
    followTours()
    followDue()
    followTour()
  },
  dialogs: { tours: ToursDialog, 'tour-stop': StopDialog },
  palette: [TourEntries],
  slots: { Overlay: TourPlayer, Welcome: TourOffer, PageTour: TourChoice },
  hooks: { onSettings: ({ tourSeen }) => patchTours({ isAnswered: tourSeen }) },
  link: [
    linkPart('tour', 'tour', {
      read: readAt,
      write: ({ id, step }) => `${id}.${step + 1}`,
      of: ({ view }) => view.tour,
    }),
  ],
  escape: closeTour,
  commands: {
    Look: {
      tours: ['G', 'Guided tours through a session', opens('tours'), { always: true, order: 1 }],
      'tour-stop': [
        'A',
        'Add this as a stop of a tour',
        opens('tour-stop'),
        { order: 1, also: ['Record a tour'] },
      ],
      'tour-next': ['>', 'Tour: next stop', () => stepTour(1), { only: taking, order: 1 }],
      'tour-back': ['<', 'Tour: stop before', () => stepTour(-1), { only: taking, order: 1 }],
    },
  },
}
