import { z } from 'zod'
import { err, type Problem, type Result } from '../../engine/result.ts'
import { DomainFile } from '../../engine/schema/domain.ts'
import { Preset } from '../../engine/schema/preset.ts'
import { ModelProfile } from '../../engine/schema/profile.ts'
import { ReplayConfig } from '../../engine/schema/replay.ts'
import type { ConfigFiles } from '../workspace/config-files.ts'
import type { Loaded } from '../workspace/data-kinds.ts'
import { type Compiled, compilePipeline } from '../rules/pipelines.ts'
import { jsonAs } from '../platform/json.ts'
import { type BatchFolders, textOrNull, writeWhole } from './folders.ts'

const StoredConfig = z.object({
  schemaVersion: z.literal(1),
  config: ReplayConfig,
  preset: Preset,
  domains: DomainFile,
  profile: ModelProfile.nullable(),
})

/** [F145] The contents of preset, domain file and profile, so that results can be asked on where these have changed. */
export async function writeConfig(
  { config: path }: Pick<BatchFolders, 'config'>,
  { config, preset, domains, profile }: ConfigFiles,
): Promise<void> {
  const stored = {
    schemaVersion: 1,
    config,
    preset: preset.value,
    domains: domains.value,
    profile: profile?.value ?? null,
  }
  await writeWhole(path, `${JSON.stringify(stored)}\n`)
}

/** The pipeline that a batch ran with. */
export async function storedPipeline({
  config: path,
}: Pick<BatchFolders, 'config'>): Promise<Result<Compiled>> {
  const problem: Problem = {
    what: 'these results do not say what they were classified with',
    where: path,
    do: 'Run the batch again',
  }
  const text = await textOrNull(path)
  const stored = text === null ? null : jsonAs(StoredConfig, text)
  if (stored === null) return err(problem)
  const loaded = <T>(value: T, name: string): Loaded<T> => ({
    value,
    fingerprint: '',
    file: { name, path, shown: path },
  })
  const { config, preset, domains, profile } = stored
  return compilePipeline({
    config,
    warnings: [],
    preset: loaded(preset, config.preset),
    domains: loaded(domains, config.domains),
    profile: profile === null ? null : loaded(profile, config.profile ?? ''),
  })
}
