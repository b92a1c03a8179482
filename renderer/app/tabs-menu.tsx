import { Check, ChevronDown } from 'lucide-react'
import { Chip } from '../ui/parts.tsx'
import { MenuButton, MenuGroup, MenuItem, MenuNote } from '../ui/popover.tsx'
import { type Tab, TAB_GROUPS } from './feature.ts'
import { TABS } from './features.ts'
import { chooseTab } from './select.ts'
import { show } from './shown.ts'
import { FEWEST_SHOWN, store } from './store.ts'
import { useApp } from './use-store.ts'

/** [U171] All tabs in groups, each with the question it answers. Closed tabs open here. */
export function TabsMenu() {
  const closed = useApp(({ view }) => TABS.filter(({ id }) => !view.shown.tabs.includes(id)).length)
  return (
    <MenuButton
      className="tab tabs-more inline-row"
      title="All tabs of the inspector, in groups"
      name={closed > 0 ? `${closed} more tabs` : 'All tabs'}
      shown={
        <>
          {closed > 0 && `${closed} more`} <ChevronDown size={12} aria-hidden />
        </>
      }
    >
      {TAB_GROUPS.map((group) => (
        <MenuGroup key={group} title={group}>
          {TABS.filter((tab) => tab.group === group).map((tab) => (
            <Entry key={tab.id} tab={tab} />
          ))}
        </MenuGroup>
      ))}
      <MenuGroup title="Fewer">
        <MenuItem onClick={showFewest}>
          <Check size={14} className="menu-check" aria-hidden />
          <span className="grow menu-title">Only Decision, Why not and Prompt</span>
        </MenuItem>
      </MenuGroup>
      <MenuNote>
        A tab that you open stays, with the lanes of its subject. Delete closes it.
      </MenuNote>
    </MenuButton>
  )
}

function showFewest(): void {
  show({ ...store.getState().view.shown, tabs: FEWEST_SHOWN.tabs })
  chooseTab('decision')
}

function Entry({ tab: { id, title, about, key } }: { readonly tab: Tab }) {
  const isShown = useApp((state) => state.view.shown.tabs.includes(id))
  return (
    <MenuItem onClick={() => chooseTab(id)}>
      <Check size={14} className={`menu-check${isShown ? ' menu-checked' : ''}`} aria-hidden />
      <span className="grow">
        <span className="menu-title">
          {title}
          <Chip>{key}</Chip>
        </span>
        <span className="menu-note">{about}</span>
      </span>
    </MenuItem>
  )
}
