import { realpath } from '../../platform/files/fenced-fs.ts'
import { dirname, resolve } from 'node:path'
import type { TurnscopeContract } from '../../../wire/contract.ts'
import type { Asked, Output } from '../../../wire/method.ts'
import { writeOutput } from '../../platform/files/output-file.ts'
import { refusal } from '../../platform/threads/refusal.ts'
import { reporting } from '../../platform/threads/yielding.ts'
import type { MainHandlersOf } from '../../threads/main/handlers.ts'
import type { OpenSession } from '../../sessions/main/held.ts'
import type { OpenSessions } from '../../sessions/main/open-sessions.ts'

type Name = 'export.write' | 'page.write' | 'forms.write'
type Step<K extends Name> = Output<TurnscopeContract, K>

/**
 * [R10] Exports to a file: the thread makes the text and has no right to write it, so the main process
 * does. A thread redacts more slowly than a disk writes, so texts do not pile up here.
 * @param base where relative paths start
 */
export function createExportHandlers(
  sessions: Pick<OpenSessions, 'get'>,
  base: string,
): MainHandlersOf<'export' | 'page' | 'forms'> {
  function write<K extends Name>(
    name: K,
    { path, ...input }: Asked<TurnscopeContract, K>,
    signal: AbortSignal,
  ) {
    const session = sessions.get(input.key)
    // The row of the thread is that of the window without `path`; the type of a row by its name is lost here.
    const steps = session.link.stream(name, input as never, signal) as AsyncGenerator<Step<K>, void>
    return path === null
      ? steps
      : toFile(steps, session, { path: resolve(base, path), base, signal })
  }

  return {
    'export.write': (input, { signal }) => write('export.write', input, signal),
    'forms.write': (input, { signal }) => write('forms.write', input, signal),
    'page.write': (input, { signal }) => write('page.write', input, signal),
  }
}

interface Target {
  readonly path: string
  readonly base: string
  readonly signal: AbortSignal
}

/** Chunks go to the file, all other steps to the window. */
async function* toFile<S extends { readonly kind: string }>(
  steps: AsyncGenerator<S, void>,
  { file }: OpenSession,
  { path, base, signal }: Target,
): AsyncGenerator<S, void> {
  await refuseUnwritable(path, file.path)
  const said: S[] = []
  yield* reporting<S, number>((report) => {
    async function* texts() {
      for await (const step of steps) {
        if ('text' in step && typeof step.text === 'string') yield step.text
        else if (step.kind === 'progress') report(step)
        else said.push(step)
      }
    }
    return writeOutput(path, texts(), { root: base, signal })
  })
  // Said when the file is in its place.
  yield* said
}

/** The opened transcript itself is never written over: the original is the user's only copy. */
async function refuseUnwritable(path: string, opened: string): Promise<void> {
  const folder = await realpath(dirname(path)).catch(() => null)
  if (folder === null) {
    throw refusal({
      what: 'there is no such folder',
      where: dirname(path),
      do: 'Choose another place',
    })
  }
  const [target, source] = await Promise.all([
    realpath(path).catch(() => null),
    realpath(opened).catch(() => opened),
  ])
  if (target === source) {
    throw refusal({
      what: 'this is the transcript itself',
      where: path,
      do: 'Choose another name: the original is not written over',
    })
  }
}
