import { shortName, titleOf } from './visible.ts'

interface Props {
  readonly text: string
  readonly className?: string | undefined
  /** The surrounding element has the tooltip. */
  readonly bare?: boolean
}

/** [U16] [U17] A name from outside: a file, session, tool or domain. The tooltip shows it in full. */
export function Name({ text, className, bare = false }: Props) {
  const shown = shortName(text)
  return (
    <span
      dir="auto"
      className={className}
      title={bare || shown === text ? undefined : titleOf(text)}
    >
      {shown}
    </span>
  )
}
