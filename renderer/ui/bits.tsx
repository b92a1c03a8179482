import { Check, Copy } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { copyAsItIs, copyText } from '../app/copy.ts'

export type Tone = 'plain' | 'accent' | 'good' | 'warn' | 'bad'

/** A small rounded word. */
export function Chip({
  tone = 'plain',
  title,
  children,
}: {
  readonly tone?: Tone
  readonly title?: string | undefined
  readonly children: ReactNode
}) {
  return (
    <span className={`chip chip-${tone}`} title={title}>
      {children}
    </span>
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

/** Copies a text, with secrets taken out, and says so for a moment; with Alt as it is. */
export function CopyButton({ text, what }: { readonly text: string; readonly what: string }) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return undefined
    const timer = setTimeout(() => setCopied(false), 1500)
    return () => clearTimeout(timer)
  }, [copied])
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={copied ? `${what} copied` : `Copy ${what}`}
      title={copied ? 'Copied' : `Copy ${what}, secrets taken out (Alt: as it is)`}
      onClick={(event) => {
        const copying = event.altKey ? copyAsItIs(text).then(() => true) : copyText(text, what)
        void copying.then(setCopied)
      }}
    >
      {copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
    </button>
  )
}

/** A titled part of a panel, with an optional note at the right. */
export function Section({
  title,
  aside,
  children,
  className = '',
}: {
  readonly title: string
  readonly aside?: ReactNode
  readonly children: ReactNode
  readonly className?: string
}) {
  return (
    <section className={`section ${className}`} aria-label={title}>
      <header className="section-head">
        <h3>{title}</h3>
        {aside !== undefined && <span className="section-aside">{aside}</span>}
      </header>
      {children}
    </section>
  )
}
