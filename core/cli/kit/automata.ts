import { flushAutomata } from '../../host/automata/current.ts'
import { useThreadAutomata } from '../../host/threads/automata-thread.ts'
import { ownAutomata } from '../../host/automata/write.ts'
import { HOME } from '../../place.ts'

let isReady = false

/** [C14] Loads the automata of earlier runs, and saves newly learned states when the command ends. */
export function beginWithAutomata(): void {
  if (isReady) return
  isReady = true
  useThreadAutomata({ shipped: HOME, automata: ownAutomata(process.env)?.folder ?? null })
  process.once('exit', flushAutomata)
}
