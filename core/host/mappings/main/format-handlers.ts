import type { MainHandlersOf } from '../../threads/main/handlers.ts'
import type { OpenSessions } from '../../sessions/main/open-sessions.ts'
import type { Front } from '../../threads/main/threads.ts'

interface Around {
  readonly sessions: OpenSessions
  readonly front: Front
}

/** [U185] Mappings are tried on a file that need not be open: it is found here and read in a thread. */
export function createFormatHandlers({ sessions, front }: Around): MainHandlersOf<'formats'> {
  return {
    'formats.start': ({ source }, { signal }) =>
      sessions.borrow(source, (file) => front().call('formats.start', { file }, signal)),
    'formats.preview': ({ source, ...asked }, { signal }) =>
      sessions.borrow(source, (file) =>
        front().call('formats.preview', { file, ...asked }, signal),
      ),
  }
}
