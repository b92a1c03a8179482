import type { ResultsCounts, ResultsPanel } from '../../../core/engine/schema/results.ts'
import { lastOf } from '../../app/offered-files.ts'
import { Pressable, Switch } from '../../ui/button.tsx'
import { count, counted } from '../../ui/format.ts'
import { Name } from '../../ui/name.tsx'
import { titleOf } from '../../ui/visible.ts'
import { Mark } from './facets.tsx'
import { useLooks } from './looks.ts'
import { filterBy, isEmpty, patchResults, useResults } from './state.ts'

const BY = [
  ['file', 'By source'],
  ['domain', 'By domain'],
] as const
const OF = [
  ['flips', 'Flips'],
  ['turns', 'Turns'],
] as const

/** Titles of the panels' bars. */
const WORDS = {
  file: { turns: 'turns by domain', flips: 'flips by the domain that they lead to' },
  domain: { turns: 'turns by the second domain', flips: 'flips by the domain that they lead to' },
} as const

interface Props {
  readonly counts: ResultsCounts
  readonly hasFlips: boolean
}

/** [F140] Small multiples: how turns or flips are spread, one panel a source or a domain, all by one scale. */
export function Panels({ counts, hasFlips }: Props) {
  const by = useResults((state) => state.panelsBy)
  const of = useResults((state) => state.panelsOf)
  const filter = useResults((state) => state.filter)
  const { panels, otherPanels } = counts
  const most = Math.max(1, ...panels.flatMap(({ bars }) => bars.map(({ count: one }) => one)))
  return (
    <section className="results-panels no-shrink line-below" aria-label="Small multiples">
      <div className="row wrap pad-8-12">
        <Switch
          label="Panels"
          options={BY}
          value={by}
          onChoose={(panelsBy) => patchResults({ panelsBy })}
        />
        {hasFlips && (
          <Switch
            label="Shown in panels"
            options={OF}
            value={of}
            onChoose={(panelsOf) => patchResults({ panelsOf })}
          />
        )}
        <span className="quiet text-s">
          {WORDS[by][of]}
          {otherPanels > 0 && `; ${counted(otherPanels, 'more panel')} not shown`}
        </span>
      </div>
      {panels.length === 0 ? (
        <p className="results-note quiet">
          {isEmpty(filter) ? 'There is none.' : 'Nothing passes the filters.'}
        </p>
      ) : (
        <ul className="results-grid scroll" tabIndex={0} aria-label="Panels">
          {panels.map((panel) => (
            <Panel key={panel.name} panel={panel} counts={counts} most={most} />
          ))}
        </ul>
      )}
    </section>
  )
}

/** Maximum bars of a panel. Rarer values are summed up in text. */
const MOST_BARS = 5

interface PanelProps {
  readonly panel: ResultsPanel
  readonly counts: ResultsCounts
  readonly most: number
}

function Panel({ panel: { name, turns, flips, bars }, counts, most }: PanelProps) {
  const by = useResults((state) => state.panelsBy)
  const hasFlips = counts.flips !== null
  const isOn = useResults(({ filter }) => filter[by] === name)
  const lookOf = useLooks(counts)
  const rest = bars.slice(MOST_BARS)
  const said = bars
    .map(({ domain, count: one }) => `${domain === '' ? 'alone' : domain} ${count(one)}`)
    .join('\n')
  return (
    <li>
      <Pressable
        className="results-panel full-width full-height rounded chosen"
        aria-pressed={isOn}
        title={titleOf(`${name}\n${said}`)}
        onClick={() => filterBy({ [by]: isOn ? null : name })}
      >
        <span className="row gap-6 full-width">
          {by === 'domain' && <Mark look={lookOf(name)} />}
          <Name text={by === 'file' ? lastOf(name) : name} className="truncate medium" bare />
          <span className="num text-xs quiet push nowrap">
            {hasFlips ? `${count(flips)} of ${count(turns)}` : count(turns)}
          </span>
        </span>
        <span className="results-bars stack" aria-hidden>
          {bars.slice(0, MOST_BARS).map(({ domain, count: one }) => (
            <span key={domain} className="results-line row gap-6">
              <span className="results-code text-xs quiet">
                {domain === '' ? '–' : lookOf(domain).code}
              </span>
              <span className="results-bar flex clip grow">
                <span
                  style={{
                    width: `${Math.max(0.5, (100 * one) / most)}%`,
                    background: domain === '' ? 'var(--line2)' : lookOf(domain).color,
                  }}
                />
              </span>
              <span className="results-number num text-xs dim text-end">{count(one)}</span>
            </span>
          ))}
          {rest.length > 0 && (
            <span className="text-xs quiet">
              and {counted(rest.length, 'other')}:{' '}
              {count(rest.reduce((sum, { count: one }) => sum + one, 0))}
            </span>
          )}
        </span>
      </Pressable>
    </li>
  )
}
