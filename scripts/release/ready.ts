import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { ROOT } from '../build.ts'

const Manifest = z.object({
  version: z.string(),
  repository: z.object({ url: z.string() }).optional(),
})

/**
 * Obstacles to a release; empty if there are none.
 * @param tag as pushed, `v1.2.3`
 * @param repository `owner/name` of the repository that runs the workflow; npm accepts provenance only if package.json
 * names the same
 */
export function obstacles(manifest: unknown, tag: string, repository: string): readonly string[] {
  const { version, repository: named } = Manifest.parse(manifest)
  const isNamed = named?.url.replace(/\.git$/u, '').endsWith(`/${repository}`) === true
  return [
    ...(tag === `v${version}`
      ? []
      : [`the tag is ${tag}, the version of package.json is ${version}`]),
    ...(isNamed
      ? []
      : [
          `"repository" of package.json does not name ${repository}: npm would refuse the provenance`,
        ]),
  ]
}

if (import.meta.main) {
  const manifest: unknown = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const found = obstacles(manifest, process.argv[2] ?? '', process.env['GITHUB_REPOSITORY'] ?? '')
  for (const each of found) console.error(each)
  if (found.length > 0) process.exitCode = 1
}
