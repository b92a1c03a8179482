import type { Feature } from '../../app/feature.ts'
import { linkPart, readName } from '../../app/link.ts'
import { store } from '../../app/store.ts'
import { closeResults } from './state.ts'
import { ResultsScreen } from './results-view.tsx'
import './results.css'

function leave(): boolean {
  const isOpen = store.getState().view.results !== null
  if (isOpen) closeResults()
  return isOpen
}

export const results: Feature = {
  machine: true,
  screen: { of: ({ view }) => view.results, Screen: ResultsScreen },
  link: [
    linkPart('res', 'results', {
      read: (text) => readName(text, 4096),
      of: ({ view }) => view.results,
    }),
  ],
  escape: leave,
}
