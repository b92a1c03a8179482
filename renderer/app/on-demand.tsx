import { type ComponentType, type ReactNode, useEffect, useState } from 'react'

/** Fetches one part; resolves when the part can be shown. */
type Fetch = () => Promise<void>

const parts: Fetch[] = []

/**
 * [U200] A component in a separate script, fetched when it is first shown, or earlier by `fetchParts`. A loaded
 * component renders immediately. If the fetch fails, the component throws when rendered, and the boundary around it
 * reports that. Rendering it again retries the fetch.
 * @param load imports the component's module and returns the component
 */
export function onDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): (props: Props) => ReactNode {
  let Part: ComponentType<Props> | null = null
  let fetching: Promise<void> | null = null
  const fetchPart: Fetch = () => {
    fetching ??= load().then(
      (loaded) => {
        Part = loaded
      },
      (error: unknown) => {
        fetching = null
        throw error
      },
    )
    return fetching
  }
  parts.push(fetchPart)
  return function OnDemand(props: Props) {
    const [state, setState] = useState<'waiting' | 'here' | { readonly error: unknown }>(
      Part ? 'here' : 'waiting',
    )
    useEffect(() => {
      if (state !== 'waiting') return undefined
      let isShown = true
      fetchPart().then(
        () => {
          if (isShown) setState('here')
        },
        (error: unknown) => {
          if (isShown) setState({ error })
        },
      )
      return () => {
        isShown = false
      }
    }, [state])
    if (typeof state === 'object') {
      throw new Error('This part of the window could not be fetched. Reload the page.', {
        cause: state.error,
      })
    }
    return Part && <Part {...props} />
  }
}

/** Fetches one part after the other while the page has nothing else to do. What fails is fetched when it is shown. */
export function fetchParts(whenIdle: (act: () => void) => void): void {
  const next = (at: number) => {
    const fetchPart = parts[at]
    if (!fetchPart) return
    const go = () => next(at + 1)
    whenIdle(() => void fetchPart().then(go, go))
  }
  next(0)
}
