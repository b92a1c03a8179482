import { createHeights } from './heights.ts'

/** Data of a virtual list: rows by number, unique keys, and heights until they are measured. */
export interface RowSource {
  readonly count: number
  /** Stable under filtering and growth, so that a measured height is not forgotten. */
  keyAt(at: number): number
  estimate(at: number): number
}

/** Rows to render, `[from, to)`, and the first one that is visible. */
export interface Range {
  readonly from: number
  readonly to: number
}

export interface RowListener {
  /** `now`: while scrolling, before the frame is drawn. */
  range(range: Range, now: boolean): void
  /** The first visible row. */
  top(at: number): void
  /** The reader scrolled away from the end, or back to it. */
  end(isAtEnd: boolean): void
}

interface Parts {
  scroller: HTMLElement | null
  /** As high as all rows together. */
  sizer: HTMLElement | null
  /** Holds the rendered rows in normal flow. */
  rows: HTMLElement | null
}

const silent = (): void => undefined

/** Room above (a sticky header) and below a row that is brought into view. */
const PAD = { top: 34, bottom: 12 } as const
/** Pixels rendered beyond the visible area, and the distance from their edge at which more are rendered. */
const OVERSCAN = 420
const SLACK = 120
/** Browsers lay out no higher than some 33 million pixels: above this the scroll bar is scaled. */
const MOST_PX = 30_000_000
/** Time in milliseconds that a row that was jumped to is held in place while rows above it are measured. */
const AIM_MS = 3000
const END_PX = 24

/**
 * Scrolling of a virtual list, outside React. The browser lays out the rows inside one box that is padded down as a
 * whole. A resize observer reports their heights in the same frame, and the visible rows keep their position.
 */
export class RowBox {
  private source: RowSource = { count: 0, keyAt: (at) => at, estimate: () => 1 }
  private heights = createHeights(0, () => 1)
  private readonly measured = new Map<number, number>()
  private listener: RowListener = { range: silent, top: silent, end: silent }
  private readonly parts: Parts = { scroller: null, sizer: null, rows: null }
  private observer: ResizeObserver | null = null
  private view = 0
  private shown: Range = { from: 0, to: 0 }
  private last = 0
  private firstVisible = -1
  private stick = false
  /** Scale of the scroll bar at the last placing. */
  private placedScale = 1
  /** True if the page is not yet scrolled to the target offset. It is scrolled after the rows there are rendered. */
  private behind = false
  private aim: {
    readonly at: number
    readonly align: 'near' | 'centre'
    readonly until: number
  } | null = null

  listen(listener: RowListener): void {
    this.listener = listener
  }

  /** For the `ref` of the three elements. */
  readonly scroller = (element: HTMLElement | null): void => {
    this.parts.scroller = element
  }
  readonly sizer = (element: HTMLElement | null): void => {
    this.parts.sizer = element
  }
  readonly rows = (element: HTMLElement | null): void => {
    this.parts.rows = element
  }

  /** Starts when the elements are there; returns what ends it. */
  start(): () => void {
    const { scroller, rows } = this.parts
    if (!scroller || !rows) return silent
    this.view = scroller.clientHeight
    const onScroll = () => this.scrolled()
    const release = () => {
      this.aim = null
    }
    const controller = new AbortController()
    const options = { passive: true, signal: controller.signal }
    scroller.addEventListener('scroll', onScroll, options)
    scroller.addEventListener('wheel', release, options)
    scroller.addEventListener('pointerdown', release, options)
    this.observer = new ResizeObserver((entries) => this.resized(entries))
    this.observer.observe(scroller)
    for (const row of rows.children) this.observer.observe(row)
    this.place()
    this.update(false)
    return () => {
      controller.abort()
      this.observer?.disconnect()
      this.observer = null
    }
  }

  /** For the `ref` of every row that may have another height than its estimate. */
  readonly row = (element: HTMLElement | null): (() => void) | undefined => {
    if (!element) return undefined
    this.observer?.observe(element)
    return () => this.observer?.unobserve(element)
  }

  /** Other rows, or more of them. */
  setSource(source: RowSource): void {
    this.source = source
    this.heights = createHeights(
      source.count,
      (at) => this.measured.get(source.keyAt(at)) ?? source.estimate(at),
    )
    this.firstVisible = -1
    this.place()
    if (this.stick) this.scrollToEnd()
    else this.update(false)
  }

  setStick(stick: boolean): void {
    this.stick = stick
    if (stick) this.scrollToEnd()
  }

  /** Brings a row into view: just so when it is near, to the middle when it is far. */
  scrollTo(at: number): void {
    if (at < 0 || at >= this.source.count) return
    const top = this.heights.topOf(at)
    const offset = this.offset()
    const near = top > offset - 240 && top < offset + this.view + 240
    this.aim = { at, align: near ? 'near' : 'centre', until: performance.now() + AIM_MS }
    this.takeAim()
    // Scrolling lays the page out. Where other rows come, that is done once, with them (`place`).
    if (!this.update(false)) this.catchUp()
  }

  /** Rows that fit into the view, for page keys. */
  get page(): number {
    const first = this.heights.rowAt(this.offset())
    return Math.max(1, this.heights.rowAt(this.offset() + this.view) - first - 1)
  }

  /** Moves the box of rows to the position of its first row. Called after every rendering. */
  readonly place = (): void => {
    const { sizer, rows } = this.parts
    if (!sizer || !rows) return
    const height = `${Math.min(this.heights.total, MOST_PX)}px`
    if (sizer.style.height !== height) sizer.style.height = height
    const top = this.heights.topOf(this.shown.from)
    const scale = this.scale()
    const at = scale === 1 ? top : top + this.last / scale - this.last
    // More rows, or higher ones: the same place is another one on a scaled scroll bar.
    if (scale !== this.placedScale) this.behind = true
    this.placedScale = scale
    // Padding, not a transform: rows that stay keep their place in the layer and are not drawn again.
    rows.style.paddingTop = `${at}px`
    this.catchUp()
  }

  /** Rows’ pixels to a pixel of the scroll bar. */
  private scale(): number {
    const { total } = this.heights
    return total <= MOST_PX ? 1 : (total - this.view) / (MOST_PX - this.view)
  }

  /**
   * Current scroll offset. It is read from the page only after a scroll, because a read in between would force a
   * layout.
   */
  private offset(): number {
    return this.last
  }

  private setOffset(offset: number): void {
    const { sizer } = this.parts
    if (!sizer) return
    const height = `${Math.min(this.heights.total, MOST_PX)}px`
    if (sizer.style.height !== height) sizer.style.height = height
    const wanted = Math.min(Math.max(0, offset), Math.max(0, this.heights.total - this.view))
    if (wanted !== this.last) this.behind = true
    this.last = wanted
  }

  private catchUp(): void {
    const { scroller } = this.parts
    if (!this.behind || !scroller) return
    this.behind = false
    scroller.scrollTop = this.last / this.scale()
  }

  private scrollToEnd(): void {
    this.aim = null
    this.setOffset(Math.max(0, this.heights.total - this.view))
    this.catchUp()
    this.update(false)
  }

  private takeAim(): void {
    if (!this.aim) return
    const { at, align } = this.aim
    const top = this.heights.topOf(at)
    const height = this.heights.heightOf(at)
    const offset = this.offset()
    if (align === 'centre') this.setOffset(Math.max(0, top - (this.view - height) / 2))
    else if (top - PAD.top < offset || height > this.view - PAD.top) this.setOffset(top - PAD.top)
    else if (top + height + PAD.bottom > offset + this.view)
      this.setOffset(top + height + PAD.bottom - this.view)
  }

  private scrolled(): void {
    // An older movement: where we are going is not on the page yet.
    if (this.behind) return
    const offset = (this.parts.scroller?.scrollTop ?? 0) * this.scale()
    const fromEnd = this.heights.total - this.view - offset
    if (offset < this.last - 2 && fromEnd > END_PX) this.listener.end(false)
    else if (offset > this.last + 2 && fromEnd < 2) this.listener.end(true)
    this.last = offset
    if (this.scale() !== 1) this.place()
    this.update(true)
  }

  /** Requests other rows if the rendered ones are not enough. Returns true if it did. */
  private update(now: boolean): boolean {
    const offset = this.offset()
    const { heights } = this
    const first = Math.max(0, heights.rowAt(Math.max(0, offset)))
    if (first !== this.firstVisible) {
      this.firstVisible = first
      this.listener.top(first)
    }
    const need = {
      from: Math.max(0, heights.rowAt(Math.max(0, offset - SLACK))),
      to: heights.rowAt(offset + this.view + SLACK) + 1,
    }
    const { from, to } = this.shown
    const covered = need.from >= from && need.to <= to && to <= this.source.count
    // Rows far behind are let go together with the next change, not on their own.
    if (covered && to - from < 4 * Math.max(12, need.to - need.from)) return false
    // A jump far away renders only the visible rows. The others are rendered at the first scroll there.
    const beyond = need.from >= to || need.to <= from ? SLACK : OVERSCAN
    this.shown = {
      from: Math.max(0, heights.rowAt(Math.max(0, offset - beyond))),
      to: heights.rowAt(offset + this.view + beyond) + 1,
    }
    this.listener.range(this.shown, now)
    return true
  }

  private resized(entries: readonly ResizeObserverEntry[]): void {
    const offset = this.offset()
    let shift = 0
    let changed = false
    for (const entry of entries) {
      if (entry.target === this.parts.scroller) {
        this.view = entry.contentRect.height
        changed = true
        continue
      }
      const { delta, isAbove } = this.measure(entry, offset)
      if (delta !== 0) changed = true
      if (isAbove) shift += delta
    }
    if (!changed) return
    this.place()
    if (this.stick) this.scrollToEnd()
    else if (this.aim && performance.now() < this.aim.until) this.takeAim()
    else if (shift !== 0) this.setOffset(offset + shift)
    this.catchUp()
    this.update(false)
  }

  /** Stores the height of a rendered row. `isAbove`: it starts above the visible area. */
  private measure({ target, borderBoxSize }: ResizeObserverEntry, offset: number) {
    const at = target instanceof HTMLElement ? Number(target.dataset['index']) : NaN
    const height = borderBoxSize[0]?.blockSize ?? 0
    if (!(at >= 0) || height === 0 || at >= this.source.count) return { delta: 0, isAbove: false }
    this.measured.set(this.source.keyAt(at), height)
    const isAbove = this.heights.topOf(at) < offset
    return { delta: this.heights.set(at, height), isAbove }
  }
}
