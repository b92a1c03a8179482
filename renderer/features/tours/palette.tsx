import { Command } from 'cmdk'
import { useEffect } from 'react'
import { valueOf } from '../../app/async-data.ts'
import type { PaletteProps } from '../../app/feature.ts'
import { Name } from '../../ui/name.tsx'
import { startTour } from './play.ts'
import { loadTours, useTours } from './store.ts'

/** Every tour by its title. */
export function TourEntries({ run }: PaletteProps) {
  const files = useTours((state) => valueOf(state.listed)?.tours)
  useEffect(() => void loadTours(), [])
  if (!files || files.length === 0) return null
  return (
    <Command.Group heading="Tours" className="palette-group">
      {files.map(({ id, tour }) => (
        <Command.Item
          key={id}
          value={`Tour: ${tour.title} ${id}`}
          onSelect={run(() => void startTour(id))}
        >
          <Name text={`Tour: ${tour.title}`} className="truncate" />
        </Command.Item>
      ))}
    </Command.Group>
  )
}
