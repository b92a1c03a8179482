import { Tooltip } from '@base-ui/react/tooltip'
import type { CSSProperties, ReactNode } from 'react'

interface Props {
  /** A sentence; empty = there is nothing to say. */
  readonly words: string
  readonly className: string
  readonly style: CSSProperties
  /** Of several that share one stop of the Tab key, only one has 0. */
  readonly tabIndex: 0 | -1
  readonly children: ReactNode
}

/** A focusable element that shows its description on hover and focus. */
export function Tip({ words, className, style, tabIndex, children }: Props) {
  if (words === '')
    return (
      <div className={className} style={style}>
        {children}
      </div>
    )
  return (
    <Tooltip.Root>
      <Tooltip.Trigger
        delay={500}
        render={
          <div className={className} style={style} tabIndex={tabIndex} aria-description={words} />
        }
      >
        {children}
      </Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Positioner className="layer" side="bottom" align="start" sideOffset={4}>
          <Tooltip.Popup className="tip">{words}</Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  )
}
