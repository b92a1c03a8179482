import type { ProfileName } from '../../engine/belief/profile-match.ts'
import type { Workspace } from './workspace.ts'

/** The model profiles of a workspace with the models that they name; a broken one has its name alone. */
export async function profileNames(workspace: Workspace): Promise<readonly ProfileName[]> {
  const files = await workspace.list('models')
  return Promise.all(
    files.map(async ({ name }) => {
      const loaded = await workspace.profile(name)
      return { name, model: loaded.ok ? (loaded.value.value.model ?? null) : null }
    }),
  )
}
