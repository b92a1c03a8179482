import { Tabs } from '@base-ui/react/tabs'
import { type ComponentType, type KeyboardEvent, useEffect, useRef } from 'react'
import { rowAt } from './rows.ts'
import { Empty, FailureNote, Skeleton } from '../ui/answered.tsx'
import { Boundary } from '../ui/boundary.tsx'
import { Button } from '../ui/button.tsx'
import type { OfTurn } from './feature.ts'
import { valueOf } from './async-data.ts'
import { KIND_LOOKS } from './event-kinds.ts'
import { TABS } from './features.ts'
import { rememberCrash } from './restore.ts'
import { chooseTab } from './select.ts'
import { hideTab } from './shown.ts'
import { TabsMenu } from './tabs-menu.tsx'
import { selectedTurn } from './selectors.ts'
import { type OtherSide, onlyThere } from './verdicts.ts'
import { useApp } from './use-store.ts'

/** Of more tabs each has less room. */
const MANY = 6

/** [U171] Delete takes the tab away that has the keyboard; the decision stays. */
function closeTab({ key, target }: KeyboardEvent): void {
  const tab = target instanceof HTMLElement ? target.dataset['tab'] : undefined
  if (key !== 'Delete' || tab === undefined || tab === 'decision') return
  chooseTab('decision')
  hideTab(tab)
}

/**
 * [U111] Scrolls the list alone: `scrollIntoView` would scroll a page of one column too, and a browser begins
 * there when Tab is pressed for the first time.
 */
function showWithin(list: HTMLElement, tab: Element | null): void {
  if (tab === null) return
  const frame = list.getBoundingClientRect()
  const box = tab.getBoundingClientRect()
  if (box.left < frame.left) list.scrollLeft -= frame.left - box.left
  else if (box.right > frame.right) list.scrollLeft += box.right - frame.right
}

/** Everything about the selected event: the decision first, then its evidence, then the record. */
export function Inspector() {
  const tab = useApp((state) => state.view.tab)
  const shown = useApp((state) => state.view.shown.tabs)
  const selected = useApp((state) => state.view.selected)
  // [U171] A tab opened by a link is listed while it is open.
  const tabs = TABS.filter(({ id }) => id === tab || shown.includes(id))
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // A narrow inspector scrolls its tabs: the open one stays in sight.
    if (list.current) showWithin(list.current, list.current.querySelector('[aria-selected="true"]'))
  }, [tab])
  return (
    <section className="inspector" aria-label="Inspector">
      <Tabs.Root
        className="inspector-tabs"
        value={tab}
        onValueChange={(value: unknown) => {
          const chosen = TABS.find(({ id }) => id === value)
          if (chosen) chooseTab(chosen.id)
        }}
      >
        <div className="tabs-bar row no-shrink line-below">
          <Tabs.List
            ref={list}
            className="tabs flex relative"
            aria-label="Inspector tabs"
            data-many={tabs.length > MANY}
            onKeyDown={closeTab}
          >
            {tabs.map(({ id, title, about, key }) => (
              <Tabs.Tab
                key={id}
                value={id}
                data-tab={id}
                className="tab"
                title={`${about} (${key})`}
              >
                {title}
              </Tabs.Tab>
            ))}
            <Tabs.Indicator className="tab-line" />
          </Tabs.List>
          <TabsMenu />
        </div>
        {tabs.map((one) => (
          <Tabs.Panel key={one.id} value={one.id} className="tab-panel fill" tabIndex={0}>
            <Boundary where={`Tab ${one.title}`} of={selected} onCrash={() => rememberCrash('tab')}>
              {'Content' in one ? <one.Content /> : <TabOfTurn Content={one.OfTurn} />}
            </Boundary>
          </Tabs.Panel>
        ))}
      </Tabs.Root>
    </section>
  )
}

/** A tab that explains a classified turn. */
function TabOfTurn({ Content }: { readonly Content: ComponentType<OfTurn> }) {
  const trace = useApp((state) => state.session.trace)
  const turn = useApp(selectedTurn)
  if (turn === null) return <NotClassified />
  if (trace.status === 'failed') return <FailureNote failure={trace.failure} />
  const value = valueOf(trace)
  if (!value) return <Skeleton />
  const stale = value.turn !== turn
  return (
    <div className={stale ? 'stale' : undefined} aria-busy={stale}>
      <Content trace={value} />
    </div>
  )
}

function NotClassified() {
  const selected = useApp((state) => state.view.selected)
  const row = useApp((state) => (selected === null ? null : rowAt(state.session.windows, selected)))
  const loaded = useApp((state) => valueOf(state.session.replay) !== null)
  const there = useApp((state) => {
    const replayed = valueOf(state.session.replay)
    const other = replayed && selected !== null ? onlyThere(replayed, selected) : null
    return other && `${other.preset}: turn ${other.turn + 1} is ${elsewhereText(other)}.`
  })
  if (!loaded) return <Skeleton />
  if (!row) return <Empty of="inspector">Select a turn in the list or on the timeline.</Empty>
  const look = KIND_LOOKS[row.kind]
  return (
    <Empty of="inspector" title="Not classified">
      <p>
        This event is {look.about}. Under the preset in force such events are not classified and do
        not count for momentum.
      </p>
      {there !== null && <p>Only the compared preset classifies it. {there}</p>}
      <Button onClick={() => chooseTab('raw')}>Show its record</Button>
    </Empty>
  )
}

function elsewhereText({ primary, secondary }: OtherSide): string {
  return secondary === null ? primary : `${primary} + ${secondary}`
}
