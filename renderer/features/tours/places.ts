import type { TourPlace } from '../../../core/engine/schema/tour.ts'

interface Place {
  /** Display name. */
  readonly words: string
  /** The first of these that is in sight is meant. */
  readonly selector: string
}

/** [U130] Screen positions of a tour's places. A tour contains no selectors. */
export const PLACES: Readonly<Record<TourPlace, Place>> = {
  timeline: { words: 'Timeline', selector: 'section[aria-label="Timeline"]' },
  list: { words: 'List of turns', selector: 'section[aria-label="Events"]' },
  turn: {
    words: 'The turn in the list',
    selector: 'section[aria-label="Events"] [role="row"][aria-selected="true"]',
  },
  header: { words: 'Presets and profile', selector: 'header.header' },
  tab: { words: 'The open tab', selector: '.inspector .tab-panel:not([hidden])' },
  verdict: { words: 'Decision: what it is', selector: '.inspector .verdict' },
  scores: {
    words: 'Decision: scores',
    selector: '.inspector section[aria-label="Scores of this text"]',
  },
  signals: {
    words: 'Decision: signals',
    selector: '.inspector section[aria-label^="Signals of"]',
  },
  text: {
    words: 'Decision: classified text',
    selector: '.inspector section[aria-label="Classified text"]',
  },
  injected: {
    words: 'Decision: what was injected',
    selector: '.inspector section[aria-label="Enrichment injected"]',
  },
  panel: { words: 'The open panel of the dock', selector: '.dock' },
  flips: { words: 'Tune: what flips', selector: '.dock .flip-words' },
  editor: { words: 'Tune: the file', selector: '[data-testid="editor"]' },
}

/** The element of a place; null if it is not on the screen. */
export function elementOf(place: TourPlace): HTMLElement | null {
  const found = document.querySelector(PLACES[place].selector)
  return found instanceof HTMLElement && found.checkVisibility() ? found : null
}
