import type { LucideIcon } from 'lucide-react'
import { IconButton } from '../ui/button.tsx'
import { isMac } from '../ui/platform.ts'
import { commandOf, runCommand } from './commands.ts'
import { keyLabels } from './keys.ts'

interface Props {
  readonly command: string
  readonly icon: LucideIcon
  /** Label of the button, if it is shorter than the command's description. */
  readonly label?: string
  readonly size?: number
  readonly className?: string
}

/**
 * A button that runs a command. Its tooltip describes the command and shows its key. Renders nothing if no feature has
 * the command.
 */
export function CommandButton({ command, icon, label, size = 16, className }: Props) {
  const row = commandOf(command)
  if (row === undefined) return null
  const { keys, what } = row
  const [key = ''] = keyLabels(keys, isMac)
  return (
    <IconButton
      icon={icon}
      size={size}
      className={className}
      name={label ?? what}
      title={`${what} (${key})`}
      onClick={() => runCommand(command)}
    />
  )
}
