import type { ReactNode } from 'react'
import type { ResultsCounts, ResultsPair } from '../../../core/engine/schema/results.ts'
import { Pressable, classes } from '../../ui/button.tsx'
import { count } from '../../ui/format.ts'
import { Name } from '../../ui/name.tsx'
import type { Look } from '../../ui/use-look.ts'
import { useLooks } from './looks.ts'
import { filterBy, patchResults, useResults } from './state.ts'

/** Counts by domain and by flip; each row is a filter. */
export function Facets({ counts }: { readonly counts: ResultsCounts }) {
  const filter = useResults((state) => state.filter)
  const lookOf = useLooks(counts)
  const { domains, pairs, textless, flips } = counts
  const most = Math.max(1, ...domains.map(({ turns }) => turns))
  const moved = pairs.filter(({ from, to }) => from !== to)
  const beside = pairs.filter(({ from, to }) => from === to)
  return (
    <aside className="results-facets no-shrink scroll line-end on-panel" aria-label="Counts">
      <FacetGroup title="Domains" aside="turns">
        {domains.map(({ domain, turns }) => (
          <Facet
            key={domain}
            isOn={filter.domain === domain}
            share={[turns / most]}
            look={lookOf(domain)}
            total={turns}
            onClick={() => filterBy({ domain: filter.domain === domain ? null : domain })}
          >
            <Mark look={lookOf(domain)} />
            <Name text={domain} className="truncate" />
          </Facet>
        ))}
      </FacetGroup>
      {textless > 0 && (
        <p
          className="results-note text-xs quiet"
          title="Calls of tools, for example. They are turns like any other, and are in no other count here"
        >
          Rows without text: <span className="num">{count(textless)}</span>
        </p>
      )}
      {flips !== null && (
        <>
          <FacetGroup title="Flips of the primary" aside="direct + momentum">
            {moved.map((pair) => (
              <Pair
                key={`${pair.from}\n${pair.to}`}
                pair={pair}
                lookOf={lookOf}
                most={mostOf(moved)}
              />
            ))}
            {moved.length === 0 && <li className="results-note text-xs quiet">None.</li>}
          </FacetGroup>
          {beside.length > 0 && (
            <FacetGroup title="Primary as before" aside="direct + momentum">
              {beside.map((pair) => (
                <Pair key={pair.from} pair={pair} lookOf={lookOf} most={mostOf(beside)} />
              ))}
            </FacetGroup>
          )}
        </>
      )}
    </aside>
  )
}

/** Flips of the most frequent pair. */
function mostOf(pairs: readonly ResultsPair[]): number {
  return Math.max(1, ...pairs.map(({ direct, momentum }) => direct + momentum))
}

interface GroupProps {
  readonly title: string
  readonly aside: string
  readonly children: ReactNode
}

function FacetGroup({ title, aside, children }: GroupProps) {
  return (
    <section className="results-group" aria-label={title}>
      <h2 className="results-group-head row between text-xs">
        <span className="bold">{title}</span>
        <span className="quiet regular">{aside}</span>
      </h2>
      <ul>{children}</ul>
    </section>
  )
}

interface FacetProps {
  readonly isOn: boolean
  /** Of the widest bar: one part, or direct and by momentum. */
  readonly share: readonly number[]
  readonly look: Look
  readonly total: number
  readonly title?: string
  readonly onClick: () => void
  readonly children: ReactNode
}

function Facet({ isOn, share, look, total, title, onClick, children }: FacetProps) {
  return (
    <li>
      <Pressable
        className="results-facet full-width rounded chosen"
        aria-pressed={isOn}
        title={title}
        onClick={onClick}
      >
        <span className="row gap-6">
          {children}
          <span className="num text-s push">{count(total)}</span>
        </span>
        <span className="results-bar flex clip" aria-hidden>
          {share.map((part, at) => (
            <span
              key={at}
              className={classes(at === 1 && 'results-carried')}
              style={{ width: `${part * 100}%`, background: look.color }}
            />
          ))}
        </span>
      </Pressable>
    </li>
  )
}

interface PairProps {
  readonly pair: ResultsPair
  readonly lookOf: (name: string) => Look
  readonly most: number
}

function Pair({ pair: { from, to, direct, momentum }, lookOf, most }: PairProps) {
  const filter = useResults((state) => state.filter)
  const isOn = filter.from === from && filter.to === to
  return (
    <Facet
      isOn={isOn}
      share={[direct / most, momentum / most]}
      look={lookOf(to)}
      total={direct + momentum}
      title={`${from} → ${to}: ${count(direct)} direct, ${count(momentum)} by momentum`}
      onClick={() => {
        filterBy(isOn ? { from: null, to: null } : { from, to })
        patchResults({ list: 'flips' })
      }}
    >
      <Mark look={lookOf(from)} />
      <Name text={from} className="truncate" />
      {from !== to && (
        <>
          <span className="quiet">→</span>
          <Mark look={lookOf(to)} />
          <Name text={to} className="truncate" />
        </>
      )}
    </Facet>
  )
}

/** A domain's colour with its letters on it: never colour alone. */
export function Mark({ look }: { readonly look: Look }) {
  return (
    <span
      className="swatch"
      style={{ background: look.color, color: look.on }}
      data-code={look.code}
      aria-hidden
    />
  )
}
