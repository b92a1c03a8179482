import { hash } from 'node:crypto'

/** Equal texts have equal fingerprints. */
export function fingerprintOf(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 22)
}
