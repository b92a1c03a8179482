import { type HookAgent, HOOK_AGENTS } from './agents.ts'
import { type Probed, probeHook } from './probe.ts'
import { type Surroundings, isKnownProgram } from './program.ts'
import { type SettingsPlace, installedCommands, settingsPath } from './settings.ts'

/** A hook that is in the settings of an agent, and whether it answers. */
export type InstalledHook = Probed & {
  readonly agent: string
  readonly path: string
  readonly command: string
}

interface Around extends Surroundings {
  readonly env: NodeJS.ProcessEnv
  /** Home folder of the account. */
  readonly userRoot: string
  /** Folder of the project. */
  readonly project: string
}

/**
 * [F198] Finds the hooks of all agents in the user's settings and in those of the project, and runs each. A command of
 * a project runs only when it starts a Turnscope that is known here.
 */
export async function installedHooks(around: Around): Promise<readonly InstalledHook[]> {
  const found: InstalledHook[] = []
  // One after another: each starts a program, and the answers come in the order of the table.
  for (const agent of HOOK_AGENTS) {
    for (const place of placesOf(agent, around)) {
      for (const command of await installedCommands(agent, place)) {
        const mayRun = place.of === 'user' || isKnownProgram(command, around)
        const probed = mayRun ? await probeHook(command, around.env) : NOT_RUN
        found.push({ agent: agent.name, path: settingsPath(agent, place), command, ...probed })
      }
    }
  }
  return found
}

const NOT_RUN: Probed = {
  answers: false,
  why: 'not run, because these settings of the project start another program than this Turnscope',
}

function placesOf(
  { settings }: HookAgent,
  { userRoot, project }: Around,
): readonly SettingsPlace[] {
  const user = { root: userRoot, of: 'user' } as const
  if (userRoot === project) return [user]
  const shared = { root: project, of: 'shared' } as const
  const local = { root: project, of: 'local' } as const
  return [user, shared, ...(settings.local === undefined ? [] : [local])]
}
