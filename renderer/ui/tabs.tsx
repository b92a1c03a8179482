import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'

interface Tab {
  readonly word: ReactNode
  /** The question that the tab answers, for its tooltip. */
  readonly about: string
}

interface Props<Name extends string> {
  readonly label: string
  readonly names: readonly Name[]
  /** The open one; null = none is. */
  readonly value: Name | null
  readonly onChoose: (name: Name) => void
  readonly lookOf: (name: Name) => Tab
  /** Classes of the box, the list, the button of a tab and a panel. */
  readonly looks: {
    readonly root: string
    readonly list: string
    readonly button: string
    readonly panel: string
  }
  readonly vertical?: boolean
  /** The open tab was clicked once more. */
  readonly onAgain?: () => void
  /** Wraps the list of tabs in a separate bar. */
  readonly bar?: (list: ReactNode) => ReactNode
  /** The panel can have the keyboard. */
  readonly panelFocus?: boolean
  /** Of the open tab. */
  readonly children: ReactNode
}

/** Tabs over one panel: only that of the open tab is rendered. */
export function Tabs<Name extends string>(props: Props<Name>) {
  const { names, value, lookOf, looks, onAgain, panelFocus = true } = props
  const list = (
    <Base.List className={looks.list} aria-label={props.label}>
      {names.map((name) => {
        const { word, about } = lookOf(name)
        return (
          <Base.Tab
            key={name}
            value={name}
            className={looks.button}
            title={about}
            onClick={() => {
              if (name === value) onAgain?.()
            }}
          >
            {word}
          </Base.Tab>
        )
      })}
    </Base.List>
  )
  return (
    <Base.Root
      className={looks.root}
      orientation={props.vertical === true ? 'vertical' : 'horizontal'}
      value={value}
      onValueChange={(next: unknown) => {
        const chosen = names.find((name) => name === next)
        if (chosen !== undefined) props.onChoose(chosen)
      }}
    >
      {props.bar ? props.bar(list) : list}
      {value !== null && (
        <Base.Panel
          key={value}
          value={value}
          className={looks.panel}
          tabIndex={panelFocus ? 0 : -1}
        >
          {props.children}
        </Base.Panel>
      )}
    </Base.Root>
  )
}
