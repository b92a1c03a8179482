import { LayoutDashboard } from 'lucide-react'
import { Chip } from '../ui/parts.tsx'
import { Picker } from '../ui/picker.tsx'
import { commandOf, runCommand } from './commands.ts'
import { LAYOUTS, PRESENT, chooseLayout } from './layouts.ts'
import { useApp } from './use-store.ts'

const OWN = 'own'

/** [U172] Layouts of the screen, each with its key. */
export function LayoutPicker() {
  const layout = useApp((state) => state.view.layout)
  const chosen = LAYOUTS.find(({ id }) => id === layout)
  return (
    <Picker
      label="layout"
      className="picker-icon"
      value={layout ?? OWN}
      shown={<LayoutDashboard size={16} aria-label={chosen?.title ?? 'As you arranged it'} />}
      options={[
        {
          value: OWN,
          label: 'As you arranged it',
          note: 'the tabs and lanes that you opened, remembered in this browser',
        },
        ...[...LAYOUTS, ...(commandOf(PRESENT.command) ? [PRESENT] : [])].map(
          ({ id, title, about, key }) => ({
            value: id,
            label: title,
            note: about,
            aside: <Chip>{key}</Chip>,
          }),
        ),
      ]}
      onChoose={choose}
    />
  )
}

function choose(value: string): void {
  if (value === PRESENT.id) runCommand(PRESENT.command)
  else chooseLayout(LAYOUTS.find(({ id }) => id === value) ?? null)
}
