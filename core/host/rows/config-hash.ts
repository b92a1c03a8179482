import { hash } from 'node:crypto'
import type { ConfigFiles } from '../workspace/config-files.ts'
import type { Compiled } from '../rules/pipelines.ts'

/**
 * [F110] 16 hexadecimal digits of all that decides: the contents of preset, domains and profile, and which texts
 * are classified. Names of files do not count, so that a copy of a configuration has the same.
 */
export function configHash({ preset, domains, profile }: ConfigFiles, compiled: Compiled): string {
  const contents = [preset, domains, profile].map((file) => file?.fingerprint ?? null)
  const { user, agent, tool, notices = true } = compiled.classify
  return hash('sha256', JSON.stringify([contents, user, agent, tool, notices]), 'hex').slice(0, 16)
}
