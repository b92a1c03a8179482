import { type ComponentProps, type ReactNode, useState } from 'react'
import { Button, CopyButton, classes } from './button.tsx'

export type Tone = 'plain' | 'accent' | 'good' | 'warn' | 'bad'

interface ChipProps {
  readonly tone?: Tone
  readonly title?: string | undefined
  readonly children: ReactNode
}

/** A small rounded word. */
export function Chip({ tone = 'plain', title, children }: ChipProps) {
  return (
    <span className={`chip chip-${tone}`} title={title}>
      {children}
    </span>
  )
}

export interface SignLook {
  readonly sign: string
  readonly words: string
  readonly tone: Tone
}

/** The same with a sign before the words, which is not read out. */
export function SignChip({ look }: { readonly look: SignLook }) {
  return (
    <Chip tone={look.tone}>
      <span aria-hidden>{look.sign}</span> {look.words}
    </Chip>
  )
}

/** A key as people know it. */
export function Keys({ keys }: { readonly keys: readonly string[] }) {
  return (
    <span className="keys">
      {keys.map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </span>
  )
}

interface SectionProps {
  readonly title: string
  /** At the right of the title. */
  readonly aside?: ReactNode
  /** A text to copy, with its name; the button is at the right end. */
  readonly copy?: { readonly text: string; readonly what: string }
  readonly children: ReactNode
  readonly className?: string
}

/** A titled part of a panel. */
export function Section({ title, aside, copy, children, className = '' }: SectionProps) {
  return (
    <section className={`section ${className}`} aria-label={title}>
      <header className="section-head">
        <h3>{title}</h3>
        {(aside !== undefined || copy) && (
          <span className="section-aside">
            {aside}
            {copy && <CopyButton {...copy} />}
          </span>
        )}
      </header>
      {children}
    </section>
  )
}

interface BlockProps extends ComponentProps<'pre'> {
  readonly label: string
}

/** [U63] A text letter for letter, each line in its own direction; it scrolls, also by keyboard. */
export function Block({ label, className, ...rest }: BlockProps) {
  return (
    <pre
      tabIndex={0}
      dir="auto"
      aria-label={label}
      {...rest}
      className={classes('block', className)}
    />
  )
}

interface FactProps {
  readonly name: string
  readonly title?: string
  readonly className?: string
  /** Of the value. */
  readonly look?: string
  readonly children: ReactNode
}

/** A name and its value in a `<dl>`. */
export function Fact({ name, look, children, ...rest }: FactProps) {
  return (
    <div {...rest}>
      <dt>{name}</dt>
      <dd className={look}>{children}</dd>
    </div>
  )
}

/** Warnings, one per line. */
export function Warnings({ texts }: { readonly texts: readonly string[] }) {
  return texts.map((text, at) => (
    <p key={at} className="warning">
      {text}
    </p>
  ))
}

interface DetailsProps extends ComponentProps<'details'> {
  readonly summary: ReactNode
}

/** A part that is folded away under one line. */
export function Details({ summary, children, ...rest }: DetailsProps) {
  return (
    <details {...rest}>
      <summary>{summary}</summary>
      {children}
    </details>
  )
}

/** A switch between a short and a full view, with the given labels. Returns the state and the switch. */
export function useFold(less: string, more: string): readonly [all: boolean, fold: ReactNode] {
  const [all, setAll] = useState(false)
  return [
    all,
    <Button
      key="fold"
      kind="link"
      className="fold"
      aria-expanded={all}
      onClick={() => setAll(!all)}
    >
      {all ? less : more}
    </Button>,
  ]
}
