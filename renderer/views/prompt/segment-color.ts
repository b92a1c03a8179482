import { PALETTE, type ThemeName } from '../../ui/domain-style.ts'
import { resolveTheme } from '../../app/selectors.ts'
import { useApp } from '../../app/use-store.ts'

/** Slots of the palette in an order in which neighbours differ most. */
const ORDER = [0, 4, 1, 5, 3, 6, 8, 2, 11, 7, 9, 10] as const

/** The colour of a segment by its place among all segments. */
export function segmentColor(index: number, theme: ThemeName): string {
  return PALETTE[ORDER[index % ORDER.length] ?? 0]?.[theme] ?? 'currentcolor'
}

export function useSegmentColor(): (index: number) => string {
  const theme = useApp((state) => resolveTheme(state.view.theme, state.view.systemDark))
  return (index) => segmentColor(index, theme)
}
