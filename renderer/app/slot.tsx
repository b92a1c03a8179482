import type { ComponentType } from 'react'
import { registry } from './commands.ts'
import type { SlotProps } from './slots.ts'

function partsFor<K extends keyof SlotProps>(name: K) {
  return registry
    .getState()
    .features.flatMap(({ slots }): ReadonlyArray<ComponentType<SlotProps[K]>> => {
      const Part = slots?.[name]
      return Part ? [Part] : []
    })
}

/** Whether a feature fills the place. */
export function isFilled(name: keyof SlotProps): boolean {
  return partsFor(name).length > 0
}

/** Every part that features have for a place, in the order of their rows. */
export function Slot<K extends keyof SlotProps>({
  name,
  ...given
}: { readonly name: K } & SlotProps[K]) {
  return partsFor(name).map((Part, at) => (
    // Rows do not change while the page lives.
    <Part key={at} {...(given as unknown as SlotProps[K] & object)} />
  ))
}
