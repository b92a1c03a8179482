import { flushAutomata } from '../../host/automata/current.ts'
import { useThreadAutomata } from '../../host/threads/automata-thread.ts'
import { ownAutomata } from '../../host/automata/write.ts'
import { HOME } from '../../place.ts'

let isReady = false

/** [C14] Lets a command begin with the automata of the runs before, and keep what it learns at its end. */
export function beginWithAutomata(): void {
  if (isReady) return
  isReady = true
  useThreadAutomata({ shipped: HOME, automata: ownAutomata(process.env)?.folder ?? null })
  process.once('exit', flushAutomata)
}
