import { MIN_SPAN, span, type Viewport } from './viewport.ts'

/** The action of a key on the focused timeline. */
export type KeyAction =
  | { readonly kind: 'select'; readonly turn: number }
  | { readonly kind: 'zoom'; readonly factor: number }
  | { readonly kind: 'fit' }

export const ZOOM_STEP = 1.6

const ZOOM: Readonly<Record<string, KeyAction>> = {
  '+': { kind: 'zoom', factor: ZOOM_STEP },
  '=': { kind: 'zoom', factor: ZOOM_STEP },
  '-': { kind: 'zoom', factor: 1 / ZOOM_STEP },
  '−': { kind: 'zoom', factor: 1 / ZOOM_STEP },
  '0': { kind: 'fit' },
}

/** Turns that a key moves by; infinite to the ends, undefined when it does not move. */
function stepOf(key: string, view: Viewport): number | undefined {
  const page = Math.max(MIN_SPAN, Math.round(span(view) * 0.8))
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: -1,
    ArrowDown: -1,
    ArrowRight: 1,
    ArrowUp: 1,
    PageUp: -page,
    PageDown: page,
    Home: -Infinity,
    End: Infinity,
  }
  return steps[key]
}

/** The action of a key, or null when the key is not the timeline's. Turns stop at the ends. */
export function keyAction(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>,
  selected: number | null,
  view: Viewport,
  turns: number,
): KeyAction | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null
  const step = stepOf(event.key, view)
  if (step === undefined) return ZOOM[event.key] ?? null
  if (turns === 0) return null
  // Without a selection the first step lands on the near end.
  const from = selected ?? (step > 0 ? -1 : turns)
  return { kind: 'select', turn: Math.min(turns - 1, Math.max(0, from + step)) }
}
