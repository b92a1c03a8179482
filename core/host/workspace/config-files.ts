import { statSync } from '../platform/files/fenced-fs.ts'
import { type Result, err, ok } from '../../engine/result.ts'
import type { DomainFile } from '../../engine/schema/domain.ts'
import type { Preset } from '../../engine/schema/preset.ts'
import type { ModelProfile } from '../../engine/schema/profile.ts'
import type { ReplayConfig } from '../../engine/schema/replay.ts'
import type { Loaded } from './data-kinds.ts'
import { type Workspace, loadDataFile } from './workspace.ts'

/** The parsed files that a replay runs with. */
export interface ConfigFiles {
  readonly config: ReplayConfig
  readonly preset: Loaded<Preset>
  readonly domains: Loaded<DomainFile>
  readonly profile: Loaded<ModelProfile> | null
  /** Warnings about the choice, for example a missing profile. */
  readonly warnings: readonly string[]
}

/**
 * Loads the files of a configuration. A missing profile disables nothing (compound-bst, criterion 9) and is a warning.
 * A broken profile, or a missing preset or domain file, is an error.
 */
export async function loadConfig(
  workspace: Workspace,
  config: ReplayConfig,
): Promise<Result<ConfigFiles>> {
  return combine(config, {
    preset: await workspace.preset(config.preset),
    domains: await workspace.domains(config.domains),
    profile: config.profile === null ? null : await workspace.profile(config.profile),
    profileMissing: config.profile !== null && !(await isKnown(workspace, config.profile)),
  })
}

/** The same for the command line, where each name may be the path of a file anywhere. */
export async function loadConfigOrPaths(
  workspace: Workspace,
  config: ReplayConfig,
): Promise<Result<ConfigFiles>> {
  const { preset, domains, profile } = config
  return combine(config, {
    preset: await loadPresetOrPath(workspace, preset),
    domains: isPath(domains)
      ? await loadDataFile('domains', domains)
      : await workspace.domains(domains),
    profile: await profileOrPath(workspace, profile),
    profileMissing: profile !== null && !isPath(profile) && !(await isKnown(workspace, profile)),
  })
}

/** A preset by name, or by the path of a file anywhere. */
export function loadPresetOrPath(
  workspace: Workspace,
  preset: string,
): Promise<Result<Loaded<Preset>>> {
  return isPath(preset) ? loadDataFile('presets', preset) : workspace.preset(preset)
}

function profileOrPath(workspace: Workspace, profile: string | null) {
  if (profile === null) return null
  return isPath(profile) ? loadDataFile('models', profile) : workspace.profile(profile)
}

/** A file that is there, or what reads like the name of one. */
function isPath(name: string): boolean {
  if (/\.(?:ya?ml|json)$/u.test(name)) return true
  try {
    return statSync(name, { throwIfNoEntry: false })?.isFile() === true
  } catch {
    // [I64] No name that a file system takes: too long, or with a NUL in it.
    return false
  }
}

async function isKnown(workspace: Workspace, profile: string): Promise<boolean> {
  const found = await workspace.find('models', profile)
  return found.ok
}

interface Parts {
  readonly preset: Result<Loaded<Preset>>
  readonly domains: Result<Loaded<DomainFile>>
  readonly profile: Result<Loaded<ModelProfile>> | null
  readonly profileMissing: boolean
}

function combine(config: ReplayConfig, parts: Parts): Result<ConfigFiles> {
  const { preset, domains, profile, profileMissing } = parts
  if (!preset.ok) return preset
  if (!domains.ok) return domains
  if (profile !== null && !profile.ok && !profileMissing) return err(profile.error)
  const warnings = profileMissing
    ? [`there is no model profile "${config.profile ?? ''}": no domain is disabled`]
    : []
  return ok({
    config,
    preset: preset.value,
    domains: domains.value,
    profile: profile?.ok === true ? profile.value : null,
    warnings,
  })
}
