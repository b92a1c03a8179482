import { useApp } from './use-store.ts'
import { NothingInside, OpenFailed, Opening, Welcome } from './stages.tsx'

/** What stands in the middle while no session is on screen. */
export function Nothing() {
  const opened = useApp((state) => state.document.opened)
  switch (opened.status) {
    case 'idle':
      return <Welcome />
    case 'loading':
      return <Opening />
    case 'failed':
      return <OpenFailed failure={opened.failure} />
    case 'ready':
      return <NothingInside />
  }
}
