import { Menu } from '@base-ui/react/menu'
import { Check, ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { Name } from './name.tsx'

export interface Option {
  readonly value: string
  readonly label: string
  readonly note?: string | undefined
  /** Right of the label. */
  readonly aside?: ReactNode
  readonly depth?: number | undefined
  readonly disabled?: boolean | undefined
}

interface Props {
  /** Name of the choice in one word: the first word on the button and its name for screen readers. */
  readonly label: string
  readonly value: string
  readonly shown: ReactNode
  readonly options: readonly Option[]
  readonly onChoose: (value: string) => void
  readonly className?: string
  readonly disabled?: boolean
  readonly foot?: ReactNode
}

/** A button with a menu of alternatives, each with a one-line description. */
export function Picker({ label, value, shown, options, onChoose, ...rest }: Props) {
  return (
    <Menu.Root>
      <Menu.Trigger className={`picker ${rest.className ?? ''}`} disabled={rest.disabled ?? false}>
        <span className="picker-label">{label}</span>
        <span className="picker-value">{shown}</span>
        <ChevronDown size={13} className="picker-arrow" aria-hidden />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={6} align="start" className="layer">
          <Menu.Popup className="menu">
            <Menu.RadioGroup
              value={value}
              onValueChange={(next: unknown) => {
                if (typeof next === 'string') onChoose(next)
              }}
            >
              {options.map((option) => (
                <Menu.RadioItem
                  key={option.value}
                  value={option.value}
                  className="menu-item"
                  closeOnClick
                  disabled={option.disabled ?? false}
                  style={{ '--depth': option.depth ?? 0 }}
                >
                  <Check size={14} className="menu-check" aria-hidden />
                  <span className="grow">
                    <span className="menu-title">
                      <Name text={option.label} className="truncate" />
                      {option.aside}
                    </span>
                    {option.note !== undefined && <Name text={option.note} className="menu-note" />}
                  </span>
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
            {rest.foot}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
