import { ContextMenu as Context } from '@base-ui/react/context-menu'
import { Menu } from '@base-ui/react/menu'
import { Popover as Base } from '@base-ui/react/popover'
import { Check } from 'lucide-react'
import type { MouseEvent, ReactNode } from 'react'

interface Layer {
  /** Content of the button. */
  readonly shown: ReactNode
  /** Class and tooltip of the button, and its name if that differs from the tooltip. */
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

interface ContextProps {
  readonly items: ReactNode
  readonly className?: string
  readonly children: ReactNode
}

/** A part of the screen with a list of actions for the other button of the mouse, or the key for it. */
export function ContextMenu({ items, className, children }: ContextProps) {
  return (
    <Context.Root>
      <Context.Trigger className={className}>{children}</Context.Trigger>
      <Context.Portal>
        <Context.Positioner className="layer">
          <Context.Popup className="menu">{items}</Context.Popup>
        </Context.Positioner>
      </Context.Portal>
    </Context.Root>
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

interface CheckProps {
  readonly checked: boolean
  readonly onChange: () => void
  readonly title: ReactNode
  readonly note: string
}

/** An entry of a list of actions that is on or off; the list stays open. */
export function MenuCheck({ checked, onChange, title, note }: CheckProps) {
  return (
    <Menu.CheckboxItem className="menu-item" checked={checked} onCheckedChange={onChange}>
      <Menu.CheckboxItemIndicator className="menu-check" keepMounted>
        <Check size={14} aria-hidden />
      </Menu.CheckboxItemIndicator>
      <span className="grow">
        <span className="menu-title">{title}</span>
        <span className="menu-note">{note}</span>
      </span>
    </Menu.CheckboxItem>
  )
}

/** Entries under a heading. */
export function MenuGroup({
  title,
  children,
}: {
  readonly title: string
  readonly children: ReactNode
}) {
  return (
    <Menu.Group>
      <Menu.GroupLabel className="menu-heading headline">{title}</Menu.GroupLabel>
      {children}
    </Menu.Group>
  )
}

/** A sentence at the foot of a list of actions. */
export function MenuNote({ children }: { readonly children: ReactNode }) {
  return <p className="menu-foot">{children}</p>
}
