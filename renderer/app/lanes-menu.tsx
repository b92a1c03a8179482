import { Rows3 } from 'lucide-react'
import { MenuButton, MenuCheck, MenuNote } from '../ui/popover.tsx'
import { LANES, OPTIONAL_LANES } from './features.ts'
import { toggleLane } from './shown.ts'
import { useApp } from './use-store.ts'

/** Lanes that the menu omits, because they are not separate rows. */
const PARTS = new Set(['ruler', 'others', 'unused', 'overview'])
const ALWAYS = LANES.filter(({ id, isOptional }) => !isOptional && !PARTS.has(id))

/** [U171] Menu of the lanes to show, each with its description. */
export function LanesMenu() {
  const lanes = useApp((state) => state.view.shown.lanes)
  return (
    <MenuButton
      className="tl-lanes inline-row"
      align="start"
      title="Which lanes are shown"
      name="Lanes"
      shown={
        <>
          <Rows3 size={12} aria-hidden />
          <span className="tl-lanes-word">Lanes</span>
        </>
      }
    >
      {OPTIONAL_LANES.map(({ id, legend }) => (
        <MenuCheck
          key={id}
          checked={lanes.includes(id)}
          onChange={() => toggleLane(id)}
          title={legend.name}
          note={legend.text}
        />
      ))}
      <MenuNote>
        Always: {ALWAYS.map(({ legend }) => legend.name).join(', ')}; some only where there is
        something to show.
      </MenuNote>
    </MenuButton>
  )
}
