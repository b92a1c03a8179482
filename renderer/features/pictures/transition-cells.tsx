import { useMemo, useState } from 'react'
import type { TransitionMap } from '../../../core/engine/schema/picture.ts'
import { valueOf } from '../../app/async-data.ts'
import { call } from '../../app/question.ts'
import { selectTurn } from '../../app/select.ts'
import { useQuery } from '../../app/use-query.ts'
import { useApp } from '../../app/use-store.ts'
import { inForce } from '../../app/wire.ts'
import { Answered } from '../../ui/answered.tsx'
import { Pressable } from '../../ui/button.tsx'
import type { Column } from '../../ui/columns.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { Domain, Swatch } from '../../ui/domain.tsx'
import { count, counted } from '../../ui/format.ts'
import { shortName, visible } from '../../ui/visible.ts'
import { type Turns, askingCells } from './pictures.ts'

type Cell = TransitionMap['cells'][number]

/** Turns of a cell that are listed with their words. */
const LISTED = 200

interface Props {
  readonly turns: Turns
  /** A turn was chosen: the window shows it. */
  readonly onOpen: () => void
}

/** [U153] The map as a table: every cell that has turns lists them, and each leads to its turn. */
export function TransitionCells({ turns, onOpen }: Props) {
  const { data } = useQuery(askingCells(turns))
  const [chosen, setChosen] = useState<string | null>(null)
  return (
    <section className="transitions line-above pad-16" aria-label="Turns of the map">
      <h3 className="headline">Turns behind the cells</h3>
      <Answered data={data} waiting={null}>
        {(map) => {
          const cell = map.cells.find((one) => keyOf(one) === chosen) ?? null
          return (
            <div className="transitions-both">
              <Grid map={map} chosen={chosen} onChoose={setChosen} />
              {cell && <CellTurns key={chosen} map={map} cell={cell} onOpen={onOpen} />}
            </div>
          )
        }}
      </Answered>
    </section>
  )
}

const keyOf = ({ alone, held }: Cell) => `${alone} ${held}`

interface GridProps {
  readonly map: TransitionMap
  readonly chosen: string | null
  readonly onChoose: (cell: string | null) => void
}

/** Accessible name of a cell. */
function nameOf({ domains }: TransitionMap, { alone, held, count: turns }: Cell): string {
  const said = domains[alone] ?? ''
  const kept = domains[held] ?? ''
  const words = alone === held ? `${said}, as its text alone said` : `${said}, held as ${kept}`
  return `${shortName(words)}: ${counted(turns, 'turn')}`
}

function Grid({ map, chosen, onChoose }: GridProps) {
  const columns = useMemo(() => {
    const most = Math.max(1, ...map.cells.map((cell) => cell.count))
    const cells = new Map(map.cells.map((cell) => [keyOf(cell), cell]))
    const name: Column<number> = {
      head: <span className="quiet">text alone ↓ held →</span>,
      isCorner: true,
      isName: true,
      cell: (alone) => <Domain name={map.domains[alone] ?? ''} />,
    }
    const heads = map.domains.map((domain, held): Column<number> => ({
      head: (
        <span title={`held as ${shortName(domain)}`}>
          <Swatch domain={domain} />
          <span className="visually-hidden">{shortName(domain)}</span>
        </span>
      ),
      className: 'num',
      cell: (alone) => {
        const cell = cells.get(`${alone} ${held}`)
        if (!cell) return <span className="quiet">·</span>
        const key = keyOf(cell)
        return (
          <Pressable
            className={`transition-cell rounded${alone === held ? '' : ' transition-moved'}`}
            aria-pressed={chosen === key}
            aria-label={nameOf(map, cell)}
            style={{ '--share': `${Math.round(100 * Math.sqrt(cell.count / most))}%` }}
            onClick={() => onChoose(chosen === key ? null : key)}
          >
            {count(cell.count)}
          </Pressable>
        )
      },
    }))
    return [name, ...heads]
  }, [map, chosen, onChoose])
  return (
    <div
      className="transitions-grid scroll"
      tabIndex={0}
      role="group"
      aria-label="Text alone and held"
    >
      <DataTable
        className="text-s"
        columns={columns}
        rows={map.domains.map((_, index) => index)}
        keyOf={(alone) => alone}
      />
    </div>
  )
}

interface CellProps {
  readonly map: TransitionMap
  readonly cell: Cell
  readonly onOpen: () => void
}

function CellTurns({ map, cell, onOpen }: CellProps) {
  const about = useApp(inForce)
  const seqs = useApp((state) => valueOf(state.session.replay)?.columns.seq)
  const listed = cell.turns.slice(0, LISTED)
  const question =
    about &&
    seqs &&
    call(
      'session.flipTexts',
      {
        ...about.address,
        config: about.config,
        compare: about.config,
        seqs: listed.map((turn) => seqs[turn] ?? 0),
      },
      { where: 'Turns', of: about.of, isLasting: about.isLasting },
    )
  const { data } = useQuery(question ?? null)
  const texts = new Map(valueOf(data)?.texts.map(({ seq, excerpt }) => [seq, excerpt]))
  return (
    <div className="transition-turns">
      <h4 className="headline">{nameOf(map, cell)}</h4>
      <ul className="stack">
        {listed.map((turn) => (
          <li key={turn}>
            <Pressable
              className="transition-turn row gap-12 rounded full-width"
              onClick={() => {
                selectTurn(turn)
                onOpen()
              }}
            >
              <span className="num no-shrink">Turn {count(turn + 1)}</span>
              <span className="truncate quiet">{visible(texts.get(seqs?.[turn] ?? -1) ?? '')}</span>
            </Pressable>
          </li>
        ))}
      </ul>
      {cell.count > listed.length && (
        <p className="quiet">and {counted(cell.count - listed.length, 'more turn')}</p>
      )}
    </div>
  )
}
