import {
  type KeyboardEvent,
  type PointerEvent,
  useCallback,
  useMemo,
  useRef,
  useState,
} from 'react'
import {
  prepareCanvas,
  useDevicePixelRatio,
  useFontsReady,
  useFrame,
  useSize,
} from '../../timeline/use-canvas.ts'
import type { Matrix } from '../../../core/engine/schema/lab.ts'
import { resolveTheme } from '../../app/selectors.ts'
import { useApp } from '../../app/use-store.ts'
import { readPaint } from '../../timeline/paint.ts'
import { count, counted } from '../../ui/format.ts'
import { useLook } from '../../ui/use-look.ts'
import { type MatrixLayout, type Measure, drawMatrix, layoutMatrix } from './matrix-draw.ts'

interface Props {
  readonly matrix: Matrix
  readonly measure: Measure
  readonly about: string
  readonly onOpen: (row: number, column: number) => void
}

interface Place {
  readonly row: number
  readonly column: number
}

/** The matrix on one canvas, however many signals; pointer and arrow keys go over its cells, Enter opens their turns. */
export function MatrixGrid({ matrix, measure, about, onOpen }: Props) {
  const root = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const { width } = useSize(root)
  const dpr = useDevicePixelRatio()
  const fonts = useFontsReady()
  const look = useLook()
  const theme = useApp((state) => resolveTheme(state.view.theme, state.view.systemDark))
  const [at, setAt] = useState<Place>({ row: 0, column: 0 })
  const size = matrix.names.length
  const layout = useMemo(() => layoutMatrix(size, width), [size, width])
  const codes = useMemo(
    () => (size <= 16 ? matrix.names.map((name) => look(name).code) : []),
    [matrix, look, size],
  )
  useFrame(
    useCallback(() => {
      const box = boxOf(layout)
      const ctx = prepareCanvas(canvas.current, box, dpr)
      if (!ctx || !canvas.current) return
      ctx.setTransform(dpr, 0, 0, dpr, 0, 0)
      const paint = readPaint(canvas.current, theme, [])
      drawMatrix(ctx, { matrix, measure, layout, codes, paint })
      // Fonts are read from the page while drawing.
      // oxlint-disable-next-line react/exhaustive-deps -- drawn again when they change
    }, [matrix, measure, layout, codes, dpr, theme, fonts]),
  )
  const cell: Place = { row: Math.min(at.row, size - 1), column: Math.min(at.column, size - 1) }
  const move = (event: KeyboardEvent) => {
    const by = STEPS[event.key]
    if (event.key === 'Enter') onOpen(cell.row, cell.column)
    else if (by) {
      const clamp = (value: number) => Math.min(size - 1, Math.max(0, value))
      setAt({ row: clamp(cell.row + by[0]), column: clamp(cell.column + by[1]) })
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  const point = (event: PointerEvent): Place | null => placeAt(layout, event)
  const words = wordsOf(matrix, measure, cell)
  return (
    <div className="matrix column fill" ref={root}>
      <p className="matrix-words pad-6-12 no-shrink text-s num" role="status">
        {words}
      </p>
      <div
        className="matrix-scroll fill scroll"
        role="grid"
        aria-label={`${about} against each other`}
        aria-rowcount={size}
        aria-colcount={size}
        aria-activedescendant="matrix-cell"
        aria-description="Arrow keys go over the cells, Enter opens their turns"
        tabIndex={0}
        onKeyDown={move}
      >
        <div role="row" aria-rowindex={cell.row + 1} className="visually-hidden">
          <span role="gridcell" id="matrix-cell" aria-colindex={cell.column + 1}>
            {words}
          </span>
        </div>
        <div className="matrix-plot relative" style={boxOf(layout)} role="presentation">
          <canvas
            ref={canvas}
            style={boxOf(layout)}
            aria-hidden
            onPointerMove={(event) => {
              const place = point(event)
              if (place && (place.row !== cell.row || place.column !== cell.column)) setAt(place)
            }}
            onClick={(event) => {
              const place = placeAt(layout, event)
              if (place) onOpen(place.row, place.column)
            }}
          />
          <i className="matrix-current" style={edges(layout, cell)} aria-hidden />
        </div>
      </div>
    </div>
  )
}

const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
}

function boxOf({ size, cell, left, top }: MatrixLayout) {
  return { width: left + size * cell + 1, height: top + size * cell + 1 }
}

function edges({ cell, left, top }: MatrixLayout, { row, column }: Place) {
  return { left: left + column * cell, top: top + row * cell, width: cell + 1, height: cell + 1 }
}

function placeAt(
  { size, cell, left, top }: MatrixLayout,
  { nativeEvent }: { readonly nativeEvent: { readonly offsetX: number; readonly offsetY: number } },
): Place | null {
  const row = Math.floor((nativeEvent.offsetY - top) / cell)
  const column = Math.floor((nativeEvent.offsetX - left) / cell)
  return row >= 0 && row < size && column >= 0 && column < size ? { row, column } : null
}

function wordsOf(matrix: Matrix, measure: Measure, { row, column }: Place): string {
  const from = matrix.names[row] ?? ''
  const to = matrix.names[column] ?? ''
  const total = matrix.totals[row] ?? 0
  if (row === column) return `${from}: fired on ${counted(total, 'turn')}`
  const value = matrix[measure][row * matrix.names.length + column] ?? 0
  return measure === 'both'
    ? `${from} × ${to}: both fired on ${count(value)} of the ${counted(total, 'turn')} of ${from}`
    : `${from} × ${to}: ${from} lost to the domain of ${to} on ${count(value)} of its ${counted(total, 'turn')}`
}
