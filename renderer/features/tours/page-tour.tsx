import { useEffect } from 'react'
import { valueOf } from '../../app/async-data.ts'
import type { SlotProps } from '../../app/slots.ts'
import { Select } from '../../ui/form.tsx'
import { fits, loadTours, useTours } from './store.ts'

/** [U136] The tour that the page starts with. */
export function TourChoice({ tour, onChoose }: SlotProps['PageTour']) {
  const files = useTours((state) => valueOf(state.listed)?.tours) ?? []
  useEffect(() => void loadTours(), [])
  const all = files.filter((file) => fits(file.tour))
  if (all.length === 0) return null
  return (
    <Select
      label="With a tour"
      value={tour}
      options={[null, ...all.map(({ id }) => id)]}
      words={(id) => all.find((file) => file.id === id)?.tour.title ?? 'none'}
      onChoose={onChoose}
    />
  )
}
