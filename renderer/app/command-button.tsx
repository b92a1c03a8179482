import type { LucideIcon } from 'lucide-react'
import { isMac } from '../ui/platform.ts'
import { IconButton } from '../ui/button.tsx'
import { runCommand } from './commands.ts'
import { type CommandId, keyLabels, SHORTCUTS } from './keys.ts'

interface Props {
  readonly command: CommandId
  readonly icon: LucideIcon
  /** Name of the button, where it is shorter than what the command does. */
  readonly label?: string
  readonly size?: number
  readonly className?: string
}

/** A button that runs a command; its tooltip says what it does and which key does the same. */
export function CommandButton({ command, icon, label, size = 16, className }: Props) {
  const shortcut = SHORTCUTS.find((one) => one.command === command)
  const [key = ''] = keyLabels(shortcut?.keys ?? [], isMac)
  const what = shortcut?.what ?? command
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
