import type { Prefetch } from '../sessions/main/prefetch.ts'
import type { StateStore } from '../settings/main/state-store.ts'
import type { WarmFront } from '../threads/main/threads.ts'

interface Parts {
  readonly prefetch: Pick<Prefetch, 'read'>
  readonly warm: WarmFront['warm']
  readonly state: Pick<StateStore, 'settings'>
}

/**
 * [U187] Has the front compile the data that the first window will request. After a prefetched file (U201), this is the
 * file's replay with the configuration of the settings, as a window without another choice requests it. Without such a
 * file, it is the description of the domains.
 */
export async function prepareFirstWindow({ prefetch, warm, state }: Parts): Promise<void> {
  if (!(await prefetch.read())) return warm(null)
  const { preset, domains, profile } = await state.settings()
  return warm({ preset, domains, profile, classify: null })
}
