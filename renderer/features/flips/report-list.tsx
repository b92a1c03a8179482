import { type KeyboardEvent, useCallback, useEffect, useMemo } from 'react'
import type { CorpusFlip } from '../../../core/engine/schema/lab.ts'
import { valueOf } from '../../app/async-data.ts'
import {
  type FlipGroup,
  acceptKey,
  flipKey,
  goToFlip,
  patchFlipsView,
  toggleAccepted,
} from './state.ts'
import { useLab } from '../dock/store.ts'
import { counted } from '../../ui/format.ts'
import { takeFocus } from '../../ui/take-focus.ts'
import { useRows } from '../../ui/use-rows.ts'
import { FlipRow } from './flip-row.tsx'

const HEAD_PX = 28
const ROW_PX = 33

type Line =
  | { readonly kind: 'head'; readonly group: FlipGroup }
  | { readonly kind: 'flip'; readonly flip: CorpusFlip }

interface Props {
  readonly groups: readonly FlipGroup[]
  readonly current: string | null
  readonly accepted: ReadonlySet<string>
  /** Only a draft's flips are accepted. */
  readonly acceptable?: boolean
}

/** Flips under the headings of their groups; arrows move, Enter shows the turn, a accepts. */
export function ReportList({ groups, current, accepted, acceptable = true }: Props) {
  const lines = useMemo(
    () =>
      groups.flatMap((group): readonly Line[] => [
        { kind: 'head', group },
        ...group.flips.map((flip) => ({ kind: 'flip', flip }) as const),
      ]),
    [groups],
  )
  const source = useMemo(
    () => ({
      count: lines.length,
      keyAt: (at: number) => at,
      estimate: (at: number) => (lines[at]?.kind === 'head' ? HEAD_PX : ROW_PX),
    }),
    [lines],
  )
  const { box, from, to, scroller, sizer, rows: holder } = useRows(source)
  const both = useCallback(
    (element: HTMLDivElement | null) => {
      scroller(element)
      takeFocus(element)
    },
    [scroller],
  )
  const at = lines.findIndex((line) => line.kind === 'flip' && flipKey(line.flip) === current)
  useEffect(() => {
    if (at >= 0) box.scrollTo(at)
  }, [box, at])
  const onKeyDown = (event: KeyboardEvent) => {
    const line = lines[at]
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (by !== 0) {
      const next = nextFlip(lines, at, by)
      if (next) patchFlipsView({ current: flipKey(next) })
    } else if (event.key === 'Enter' && line?.kind === 'flip') goToFlip(line.flip)
    else if (event.key === 'a' && acceptable && line?.kind === 'flip') toggleAccepted([line.flip])
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div
      ref={both}
      className="flips-scroll fill scroll"
      role="grid"
      aria-label="Turns that flip"
      aria-rowcount={lines.length}
      aria-activedescendant={at >= from && at < to ? `flip-${at}` : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div ref={sizer} className="list-size" role="rowgroup">
        <div ref={holder} className="list-rows" role="presentation">
          {lines
            .slice(from, to)
            .map((line, nth) =>
              line.kind === 'head' ? (
                <GroupHead key={`h${from + nth}`} group={line.group} acceptable={acceptable} />
              ) : (
                <FlipRow
                  key={flipKey(line.flip)}
                  flip={line.flip}
                  at={from + nth}
                  selected={from + nth === at}
                  accepted={accepted.has(acceptKey(line.flip))}
                  acceptable={acceptable}
                />
              ),
            )}
        </div>
      </div>
    </div>
  )
}

function nextFlip(lines: readonly Line[], from: number, by: 1 | -1): CorpusFlip | null {
  for (let at = from + by; at >= 0 && at < lines.length; at += by) {
    const line = lines[at]
    if (line?.kind === 'flip') return line.flip
  }
  return null
}

function GroupHead({
  group,
  acceptable,
}: {
  readonly group: FlipGroup
  readonly acceptable: boolean
}) {
  const title = useLab((state) =>
    group.session === null
      ? group.title
      : (valueOf(state.corpus)?.sessions[group.session]?.title ?? ''),
  )
  return (
    <div role="row" className="flips-head row text-xs dim line-below gap-12 bold pad-x-12">
      <span role="gridcell" className="truncate">
        {title}
      </span>
      <span role="gridcell" className="quiet num regular">
        {counted(group.flips.length, 'flip')}
      </span>
      <span role="gridcell" className="grow" />
      {acceptable && (
        <span role="gridcell">
          <button type="button" className="link" onClick={() => toggleAccepted(group.flips)}>
            accept all
          </button>
        </span>
      )}
    </div>
  )
}
