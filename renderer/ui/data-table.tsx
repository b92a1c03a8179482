import type { ComponentProps } from 'react'
import { Pressable, classes } from './button.tsx'
import { type Column, type Sorting, classOf, sortOf } from './columns.ts'

interface Props<Row> {
  readonly columns: ReadonlyArray<Column<Row>>
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row, at: number) => string | number
  readonly label?: string
  readonly className?: string | undefined
  /** Class and handlers of a row. */
  readonly rowProps?: (row: Row, at: number) => ComponentProps<'tr'>
  readonly sort?: Sorting
  readonly onSort?: (column: string) => void
}

/** A small table that renders all its rows. It has no head row if no column has a head. */
export function DataTable<Row>({ columns, rows, keyOf, label, className, ...rest }: Props<Row>) {
  const hasHead = columns.some(({ head }) => head !== undefined)
  return (
    <table className={className} aria-label={label}>
      {hasHead && (
        <thead>
          <tr>
            {columns.map((column, at) => (
              <Head key={at} column={column} sort={rest.sort} onSort={rest.onSort} />
            ))}
          </tr>
        </thead>
      )}
      <tbody>
        {rows.map((row, at) => (
          <tr key={keyOf(row, at)} {...rest.rowProps?.(row, at)}>
            {columns.map((column, place) =>
              column.span?.(row) === 0 ? null : <Cell key={place} column={column} row={row} />,
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface HeadProps<Row> {
  readonly column: Column<Row>
  readonly sort: Sorting | undefined
  readonly onSort: ((column: string) => void) | undefined
}

function Head<Row>({ column, sort, onSort }: HeadProps<Row>) {
  const { head, about, headClass } = column
  if (head === undefined || column.isCorner === true) return <td className={headClass}>{head}</td>
  const order = sortOf(column, sort ?? null)
  return (
    <th scope="col" title={about} className={headClass} aria-sort={order}>
      {column.sort === undefined ? (
        head
      ) : (
        <Pressable onClick={() => onSort?.(column.sort ?? '')}>
          {head} {order === 'descending' && '↓'}
        </Pressable>
      )}
    </th>
  )
}

function Cell<Row>({ column, row }: { readonly column: Column<Row>; readonly row: Row }) {
  const look = {
    className: classOf(column, row),
    title: column.title?.(row),
    colSpan: column.span?.(row),
  }
  return column.isName === true ? (
    <th scope="row" {...look}>
      {column.cell(row)}
    </th>
  ) : (
    <td {...look}>{column.cell(row)}</td>
  )
}

/** What, and how it was and is. */
export type Change = readonly [what: string, before: string, after: string]

interface ChangeProps {
  readonly rows: readonly Change[]
  readonly heads?: readonly [string, string]
  readonly label?: string
  readonly className?: string
  readonly num?: boolean
}

/** Facts before and after; differences are highlighted. */
export function ChangeTable({ heads = ['before', 'after'], num = false, ...rest }: ChangeProps) {
  return (
    <DataTable
      {...rest}
      className={classes('table states', rest.className)}
      keyOf={([what]) => what}
      columns={[
        { isName: true, cell: ([what]) => what },
        { head: heads[0], num, cell: ([, before]) => before },
        {
          head: heads[1],
          num,
          className: ([, before, after]) => (before === after ? '' : 'changed'),
          cell: ([, , after]) => after,
        },
      ]}
    />
  )
}
