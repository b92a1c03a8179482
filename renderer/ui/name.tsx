import { shortName, titleOf } from './visible.ts'

interface Props {
  readonly text: string
  readonly className?: string | undefined
  /** What it stands in has the tooltip. */
  readonly bare?: boolean
}

/** [U16] [U17] A name that somebody else chose: a file, session, tool or domain. Whole in its tooltip. */
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
