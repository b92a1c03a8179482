import { type LucideIcon, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton, Pressable } from '../../ui/button.tsx'
import { Name } from '../../ui/name.tsx'
import { titleOf } from '../../ui/visible.ts'

/** A part of the library under its title. */
export function Group({
  title,
  children,
}: {
  readonly title: string
  readonly children: ReactNode
}) {
  return (
    <section className="library-group" aria-label={title}>
      <h2 className="headline">{title}</h2>
      <ul>{children}</ul>
    </section>
  )
}

interface EntryProps {
  readonly current?: boolean
  readonly onClick: () => void
  readonly icon?: LucideIcon
  readonly title: string
  readonly note?: string | undefined
  readonly aside?: ReactNode
  readonly depth?: number
  readonly disabled?: boolean
  readonly children?: ReactNode
  /** Label of the remove button; without it there is no button. */
  readonly removes?: string
  readonly onRemove?: () => void
}

/** One thing that can be opened or chosen. */
export function Entry({ title, note, aside, icon: Icon, onClick, depth = 0, ...rest }: EntryProps) {
  return (
    <li className={rest.removes === undefined ? undefined : 'entry-row relative'}>
      <Pressable
        className="entry full-width rounded chosen"
        aria-current={rest.current ? 'true' : undefined}
        disabled={rest.disabled ?? false}
        title={titleOf(note === undefined ? title : `${title}\n${note}`)}
        style={{ '--depth': depth }}
        onClick={onClick}
      >
        <span className="entry-line row gap-7">
          {Icon && <Icon size={14} aria-hidden className="no-shrink quiet" />}
          <Name text={title} bare className="entry-title truncate" />
          {aside}
        </span>
        {note !== undefined && (
          <Name text={note} bare className="entry-note clamp text-xs quiet break-words" />
        )}
        {rest.children}
      </Pressable>
      {rest.removes !== undefined && (
        <IconButton
          icon={X}
          size={13}
          name={rest.removes}
          className="entry-remove on-panel2"
          onClick={rest.onRemove}
        />
      )}
    </li>
  )
}
