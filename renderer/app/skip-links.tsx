import { Pressable } from '../ui/button.tsx'
import { focusRegion } from './regions.ts'
import { useApp } from './use-store.ts'

const PLACES = [
  ['list', 'Skip to the list'],
  ['timeline', 'Skip to the timeline'],
  ['inspector', 'Skip to the inspector'],
] as const

/** [U78] The first stops of the Tab key, seen while they have it: past library and header. */
export function SkipLinks() {
  const open = useApp(({ document, folders }) => {
    return document.opened.status === 'ready' && folders.shown === null
  })
  if (!open) return null
  return (
    <nav className="skip-links" aria-label="Skip">
      {PLACES.map(([region, words]) => (
        <Pressable key={region} className="skip-link" onClick={() => focusRegion(region)}>
          {words}
        </Pressable>
      ))}
    </nav>
  )
}
