import { CircleAlert, CircleCheck, type LucideIcon, TriangleAlert, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from './button.tsx'

const ICONS = { good: CircleCheck, warn: TriangleAlert, bad: CircleAlert } as const

interface Props {
  readonly tone: keyof typeof ICONS
  readonly icon?: LucideIcon
  /** Screen readers announce it immediately. */
  readonly urgent?: boolean
  readonly onDismiss?: () => void
  readonly children: ReactNode
}

/** A line across a panel about something that must not be overlooked. */
export function Banner({ tone, icon, urgent = false, onDismiss, children }: Props) {
  const Icon = icon ?? ICONS[tone]
  return (
    <div className={`banner banner-${tone}`} role={urgent ? 'alert' : 'status'}>
      <Icon size={15} aria-hidden />
      <div className="grow">{children}</div>
      {onDismiss && <IconButton icon={X} name="Dismiss" onClick={onDismiss} />}
    </div>
  )
}
