/** A delayed call. Each request runs it at most once. */
export interface Delay {
  /** Restarts the wait: of several calls in a row, only the last is made. */
  restart(act: () => void, ms: number): void
  /** Waits, unless a call waits already: calls in a row are made once, by the first one's time. */
  unlessDue(act: () => void, ms: number): void
  isDue(): boolean
  stop(): void
}

export function createDelay(): Delay {
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = () => {
    clearTimeout(timer)
    timer = undefined
  }
  const restart = (act: () => void, ms: number) => {
    stop()
    timer = setTimeout(() => {
      timer = undefined
      act()
    }, ms)
  }
  return {
    restart,
    unlessDue: (act, ms) => {
      if (timer === undefined) restart(act, ms)
    },
    isDue: () => timer !== undefined,
    stop,
  }
}

/** Runs never overlap: a call during a run does nothing. */
export function alone(act: () => Promise<void>): () => Promise<void> {
  let running = false
  return async () => {
    if (running) return
    running = true
    try {
      await act()
    } finally {
      running = false
    }
  }
}

/** Things that come one by one and are drawn together, a few times a second. */
export interface Gathered<T> {
  add(...more: readonly T[]): void
  /** Draws the collected items. */
  flush(): void
  drop(): void
}

const DRAW_MS = 100

export function createGathered<T>(draw: (all: readonly T[]) => void): Gathered<T> {
  const due = createDelay()
  let waiting: T[] = []
  const drop = () => {
    due.stop()
    waiting = []
  }
  const flush = () => {
    const all = waiting
    drop()
    if (all.length > 0) draw(all)
  }
  return {
    add: (...more) => {
      waiting.push(...more)
      due.unlessDue(flush, DRAW_MS)
    },
    flush,
    drop,
  }
}

/**
 * Calls back when the page has nothing else to do, after so many milliseconds at the latest. Safari has no idle time
 * to offer: there it is a moment later.
 */
export function whenIdle(act: () => void, most?: number): void {
  if (typeof requestIdleCallback !== 'function') setTimeout(act, 50)
  else requestIdleCallback(act, most === undefined ? {} : { timeout: most })
}
