import { Check, Copy, type LucideIcon } from 'lucide-react'
import { type ComponentProps, type ReactNode, useEffect, useState } from 'react'
import { copyAsItIs, copyText } from '../app/copy.ts'

/** Joins class names; omits false and empty ones. */
export function classes(...names: ReadonlyArray<string | false | undefined>): string | undefined {
  const given = names.filter((name) => name !== undefined && name !== false && name !== '')
  return given.length === 0 ? undefined : given.join(' ')
}

interface ButtonProps extends ComponentProps<'button'> {
  readonly kind?: 'plain' | 'primary' | 'link'
  readonly small?: boolean
}

/** A button with a text label; `link` is for use within a line of text. */
export function Button({ kind = 'plain', small = false, className, ...rest }: ButtonProps) {
  const look =
    kind === 'link'
      ? 'link'
      : classes('button', small && 'button-small', kind === 'primary' && 'button-primary')
  return <button type="button" {...rest} className={classes(look, className)} />
}

/** A row, a cell or a card that can be pressed: its looks come from its class alone. */
export function Pressable(props: ComponentProps<'button'>) {
  return <button type="button" {...props} />
}

interface IconProps extends ComponentProps<'button'> {
  /** Accessible name of the button, and its tooltip if no longer one is given. */
  readonly name: string
  readonly icon: LucideIcon
  readonly size?: number
}

/** A button that shows only an icon. */
export function IconButton({ name, icon: Icon, size = 14, className, ...rest }: IconProps) {
  return (
    <Pressable
      aria-label={name}
      title={name}
      {...rest}
      className={classes('icon-button', className)}
    >
      <Icon size={size} aria-hidden />
    </Pressable>
  )
}

interface SwitchProps<T> {
  /** Accessible name of the choice. */
  readonly label?: string
  readonly labelledBy?: string
  readonly options: ReadonlyArray<readonly [value: T, words: ReactNode, about?: string]>
  readonly value: T
  readonly onChoose: (value: T) => void
  readonly isOff?: (value: T) => boolean
  readonly className?: string
}

/** Two or more alternatives side by side, one of which is pressed. */
export function Switch<T>({ label, labelledBy, options, value, ...rest }: SwitchProps<T>) {
  return (
    <div
      className={classes('switch', rest.className)}
      role="group"
      aria-label={label}
      aria-labelledby={labelledBy}
    >
      {options.map(([own, words, about], at) => (
        <Pressable
          key={at}
          aria-pressed={own === value}
          disabled={rest.isOff?.(own)}
          title={about}
          onClick={() => rest.onChoose(own)}
        >
          {words}
        </Pressable>
      ))}
    </div>
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
    <IconButton
      icon={copied ? Check : Copy}
      name={copied ? `${what} copied` : `Copy ${what}`}
      title={copied ? 'Copied' : `Copy ${what}, secrets taken out (Alt: as it is)`}
      onClick={(event) => {
        const copying = event.altKey ? copyAsItIs(text).then(() => true) : copyText(text, what)
        void copying.then(setCopied)
      }}
    />
  )
}
