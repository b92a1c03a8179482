import { useEffect, useRef, useState, type RefObject } from 'react'

export interface Size {
  readonly width: number
  readonly height: number
}

/** Size of an element in whole CSS pixels, kept up to date; 0 × 0 before the first measurement. */
export function useSize(element: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 })
  useEffect(() => {
    if (element.current === null) return
    const observer = new ResizeObserver(([entry]) => {
      if (entry === undefined) return
      const width = Math.floor(entry.contentRect.width)
      const height = Math.floor(entry.contentRect.height)
      setSize((before) =>
        before.width === width && before.height === height ? before : { width, height },
      )
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return size
}

/** False until web fonts are there: text measured before would be laid out in another face. */
export function useFontsReady(): boolean {
  const [ready, setReady] = useState(false)
  useEffect(() => {
    let mounted = true
    void document.fonts.ready.then(() => {
      if (mounted) setReady(true)
    })
    return () => {
      mounted = false
    }
  }, [])
  return ready
}

/** Device pixels per CSS pixel, following moves between screens and browser zoom. */
export function useDevicePixelRatio(): number {
  const [dpr, setDpr] = useState(() => window.devicePixelRatio)
  useEffect(() => {
    const query = window.matchMedia(`(resolution: ${dpr}dppx)`)
    const update = () => setDpr(window.devicePixelRatio)
    query.addEventListener('change', update)
    return () => query.removeEventListener('change', update)
  }, [dpr])
  return dpr
}

/**
 * Runs `draw` in the next animation frame, once for each new `draw`. Memoize it by its inputs, so that unchanged
 * content is not drawn again.
 */
export function useFrame(draw: () => void): void {
  useEffect(() => {
    const frame = requestAnimationFrame(draw)
    return () => cancelAnimationFrame(frame)
  }, [draw])
}

/** Sets a canvas's size in device pixels and returns its context; null if none is available. */
export function prepareCanvas(
  canvas: HTMLCanvasElement | null,
  size: Size,
  dpr: number,
): CanvasRenderingContext2D | null {
  if (canvas === null) return null
  const width = Math.max(1, Math.round(size.width * dpr))
  const height = Math.max(1, Math.round(size.height * dpr))
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width
    canvas.height = height
  }
  return canvas.getContext('2d')
}

/** The latest value, for handlers that are registered once. */
export function useLatest<T>(value: T): RefObject<T> {
  const latest = useRef(value)
  useEffect(() => {
    latest.current = value
  })
  return latest
}
