import type { Prefetch } from '../sessions/main/prefetch.ts'
import type { StateStore } from '../settings/main/state-store.ts'
import type { WarmFront } from '../threads/main/threads.ts'

interface Parts {
  readonly prefetch: Pick<Prefetch, 'read'>
  readonly warm: WarmFront['warm']
  readonly state: Pick<StateStore, 'settings'>
}

/**
 * [U187] Has the front compile what the first window will ask for. Behind a file that was prefetched (U201) that is its
 * replay with the choice of the settings, as a window asks that knows no other; else what describes the domains.
 */
export async function prepareFirstWindow({ prefetch, warm, state }: Parts): Promise<void> {
  if (!(await prefetch.read())) return warm(null)
  const { preset, domains, profile } = await state.settings()
  return warm({ preset, domains, profile, classify: null })
}
