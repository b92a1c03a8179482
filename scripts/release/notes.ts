import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../build.ts'

// notes.ts vX.Y.Z: the section of CHANGELOG.md for that version, else the section "Unreleased".

/** The lines under a heading, without it; null if there is no such heading. */
export function notesOf(changelog: string, heading: string): string | null {
  const parts = changelog.split(/^## /mu).slice(1)
  const part = parts.find((each) => /^\S+/u.exec(each)?.[0] === heading)
  return part === undefined ? null : part.slice(part.indexOf('\n') + 1).trim()
}

if (import.meta.main) {
  const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')
  const version = (process.argv[2] ?? '').replace(/^v/u, '')
  const notes = notesOf(changelog, version) ?? notesOf(changelog, 'Unreleased') ?? ''
  process.stdout.write(`${notes}\n`)
}
