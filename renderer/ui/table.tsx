import { ArrowDown, ArrowUp } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, memo, useMemo } from 'react'
import { Pressable, classes } from './button.tsx'
import { type Column, type Sorting, classOf, lineAt, sortOf, stepOf } from './columns.ts'
import { ListFrame } from './list-frame.tsx'
import { useRows } from './use-rows.ts'

/** Appearance and behavior of each row; kept outside of components, so that rows render once. */
export interface RowLook<Row> {
  /** Unique: it is the React key, and with `name` the id of the row. */
  readonly keyOf: (row: Row) => string
  /** First part of ids. */
  readonly name: string
  readonly className: string
  readonly stateOf?: (row: Row) => string
  readonly titleOf?: (row: Row) => string | undefined
  readonly onClick: (row: Row) => void
  /** Other columns for some rows. */
  readonly columnsOf?: (row: Row) => ReadonlyArray<Column<Row>> | undefined
}

interface Props<Line, Row> {
  readonly label: string
  readonly className: string
  readonly lines: readonly Line[]
  /** The row of a line; null = it is a heading. */
  readonly rowOf: (line: Line) => Row | null
  readonly heading?: (line: Line, at: number) => ReactNode
  /** Of a line before it is laid out; a function has to be the same in every rendering. */
  readonly height: number | ((line: Line) => number)
  readonly columns: ReadonlyArray<Column<Row>>
  readonly look: RowLook<Row>
  /** Class of the head row; without it there is no head row. */
  readonly headClass?: string
  readonly sort?: Sorting
  readonly onSort?: (column: string) => void
  /** Key of the row that has the keyboard. */
  readonly current: string | null
  readonly onCurrent: (row: Row) => void
  /** Null while no row has the keyboard. */
  readonly onEnter: (row: Row | null) => void
  /** The letters j and k also move. Set this only if they have no other use. */
  readonly letters?: boolean
  /** Other keys; true when the key was taken. */
  readonly onKey?: (key: string, row: Row) => boolean
  readonly focus?: boolean
  readonly onFocus?: () => void
  /** Below the heads when there are no rows. */
  readonly none?: ReactNode
}

/** The virtual table: only rows in view are rendered; arrow and page keys walk, Enter opens. */
export function Table<Line, Row>(props: Props<Line, Row>) {
  const { lines, rowOf, height, look, columns, current, headClass } = props
  const source = useMemo(
    () => ({
      count: lines.length,
      keyAt: (at: number) => at,
      estimate: (at: number) => {
        const line = lines[at]
        if (typeof height === 'number') return height
        return line === undefined ? 0 : height(line)
      },
    }),
    [lines, height],
  )
  const rowAt = (at: number): Row | null => {
    const line = lines[at]
    return line === undefined ? null : rowOf(line)
  }
  const at = lines.findIndex((line) => {
    const row = rowOf(line)
    return row !== null && look.keyOf(row) === current
  })
  const view = useRows(source, { current: at })
  const heads = headClass === undefined ? 0 : 1
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey } = event
    const row = rowAt(at)
    if (ctrlKey || metaKey || altKey) return
    const by = stepOf(key, view.box.page, props.letters)
    if (by !== undefined) {
      const canStand = (place: number) => rowAt(place) !== null
      const target = rowAt(lineAt(lines.length, canStand, { from: at, by }))
      if (target !== null) props.onCurrent(target)
    } else if (key === 'Enter') props.onEnter(row)
    else if (row === null || props.onKey?.(key, row) !== true) return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <ListFrame
      view={view}
      role="grid"
      label={props.label}
      className={props.className}
      rowCount={lines.length + heads}
      active={at >= view.from && at < view.to ? `${look.name}-${at}` : undefined}
      focus={props.focus ?? false}
      onKeyDown={onKeyDown}
      {...(props.onFocus ? { onFocus: props.onFocus } : {})}
      head={
        <>
          {headClass !== undefined && <Heads {...props} headClass={headClass} />}
          {lines.length === 0 && props.none}
        </>
      }
    >
      {(place) => {
        const line = lines[place]
        const row = rowAt(place)
        if (line === undefined) return null
        if (row === null) return props.heading?.(line, place)
        return (
          <TableRow
            key={look.keyOf(row)}
            row={row}
            look={look}
            columns={columns}
            at={place}
            rowIndex={place + 1 + heads}
            selected={place === at}
          />
        )
      }}
    </ListFrame>
  )
}

type HeadProps<Row> = Pick<Props<unknown, Row>, 'columns' | 'sort' | 'onSort'> & {
  readonly headClass: string
}

function Heads<Row>({ columns, sort, onSort, headClass }: HeadProps<Row>) {
  const Arrow = sort?.down ? ArrowDown : ArrowUp
  return (
    <div role="row" className={headClass}>
      {columns.map((column, at) => {
        const { sort: name, head, about } = column
        const order = sortOf(column, sort ?? null)
        const isSorted = name !== undefined && sort?.column === name && column.isOrder !== true
        return (
          <span key={at} role="columnheader" className={column.headClass} aria-sort={order}>
            <Pressable title={about} onClick={() => onSort?.(name ?? '')}>
              <span className="truncate">{head}</span>
              {isSorted && <Arrow size={12} aria-hidden />}
            </Pressable>
          </span>
        )
      })}
    </div>
  )
}

interface RowProps<Row> {
  readonly row: Row
  readonly look: RowLook<Row>
  readonly columns: ReadonlyArray<Column<Row>>
  readonly at: number
  readonly rowIndex: number
  readonly selected: boolean
}

function PlainRow<Row>({ row, look, columns, at, rowIndex, selected }: RowProps<Row>) {
  return (
    <div
      role="row"
      id={`${look.name}-${at}`}
      data-index={at}
      aria-rowindex={rowIndex}
      aria-selected={selected}
      className={classes(look.className, look.stateOf?.(row))}
      title={look.titleOf?.(row)}
      onClick={() => look.onClick(row)}
    >
      {(look.columnsOf?.(row) ?? columns).map((column, place) => (
        <span
          key={place}
          role="gridcell"
          className={classOf(column, row)}
          title={column.title?.(row)}
          aria-colspan={column.span?.(row)}
        >
          {column.cell(row)}
        </span>
      ))}
    </div>
  )
}

// `memo` forgets type parameters: they are those of the component that it wraps.
const TableRow = memo(PlainRow) as typeof PlainRow
