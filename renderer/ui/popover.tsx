import { Menu } from '@base-ui/react/menu'
import { Popover as Base } from '@base-ui/react/popover'
import type { MouseEvent, ReactNode } from 'react'

interface Layer {
  /** What is on the button. */
  readonly shown: ReactNode
  /** Class and tooltip of the button, and its name where the tooltip is not it. */
  readonly className: string
  readonly title: string
  readonly name?: string | undefined
  readonly side?: 'top' | 'bottom'
  readonly align?: 'start' | 'end'
  readonly offset?: number
  readonly children: ReactNode
}

interface PopoverProps extends Layer {
  /** Class of what opens. */
  readonly of: string
  readonly heading?: ReactNode
  readonly label?: string
}

/** A button that opens a box of facts beside it. */
export function Popover(props: PopoverProps) {
  const { shown, className, title, name, side = 'bottom', align = 'end', offset = 8 } = props
  return (
    <Base.Root>
      <Base.Trigger className={className} title={title} aria-label={name}>
        {shown}
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={offset} side={side} align={align} className="layer">
          <Base.Popup className={`popover ${props.of}`} aria-label={props.label}>
            {props.heading !== undefined && (
              <Base.Title className="popover-title">{props.heading}</Base.Title>
            )}
            {props.children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

interface MenuProps extends Layer {
  readonly disabled?: boolean
  readonly onClick?: (event: MouseEvent) => void
  readonly onOpen?: () => void
}

/** A button that opens a list of actions. */
export function MenuButton(props: MenuProps) {
  const { shown, side = 'bottom', align = 'end', offset = 6, children, onOpen, ...rest } = props
  return (
    <Menu.Root
      onOpenChange={(open) => {
        if (open) onOpen?.()
      }}
    >
      <Menu.Trigger
        className={rest.className}
        title={rest.title}
        aria-label={rest.name}
        disabled={rest.disabled ?? false}
        onClick={rest.onClick}
      >
        {shown}
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={offset} side={side} align={align} className="layer">
          <Menu.Popup className="menu">{children}</Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}

interface ItemProps {
  readonly onClick: (event: MouseEvent) => void
  readonly children: ReactNode
}

export function MenuItem({ onClick, children }: ItemProps) {
  return (
    <Menu.Item className="menu-item" onClick={onClick}>
      {children}
    </Menu.Item>
  )
}
