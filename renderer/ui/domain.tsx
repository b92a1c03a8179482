import { useLook } from './use-look.ts'
import { Name } from './name.tsx'

/**
 * A domain's colour with its letter code on it: never colour alone. The code is drawn by the style sheet, so that it is
 * not part of the text that is read aloud or copied.
 */
export function Swatch({ domain }: { readonly domain: string }) {
  const look = useLook()(domain)
  return (
    <span
      className="swatch"
      style={{ background: look.color, color: look.on }}
      data-code={look.code}
      aria-hidden
    />
  )
}

/** Swatch and name. */
export function Domain({ name, strong }: { readonly name: string; readonly strong?: boolean }) {
  return (
    <span className={strong ? 'domain domain-strong' : 'domain'}>
      <Swatch domain={name} />
      <Name text={name} className="truncate" />
    </span>
  )
}
