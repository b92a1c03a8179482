import type { App } from 'electron'

/** Maximum time (ms) that a quit waits for writes under way; a stuck disk must not keep the app open. */
const PATIENCE_MS = 3_000

/** Work that has to be done before the process ends. */
interface QuitTasks {
  readonly add: (task: () => Promise<unknown>) => void
}

/** Holds the quit until every task has settled (or patience ran out), then exits with 0. */
export function finishBeforeQuit(
  app: Pick<App, 'once' | 'exit'>,
  patienceMs: number = PATIENCE_MS,
): QuitTasks {
  const tasks: Array<() => Promise<unknown>> = []
  app.once('will-quit', (event) => {
    if (tasks.length === 0) return
    event.preventDefault()
    const settled = Promise.allSettled(tasks.map((task) => task()))
    const patience = new Promise((resolve) => setTimeout(resolve, patienceMs))
    void Promise.race([settled, patience]).then(() => app.exit(0))
  })
  return {
    add: (task) => {
      tasks.push(task)
    },
  }
}
