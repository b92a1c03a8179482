import type { BundleDiagnostic, BundleDiagnosticCode } from '../schema/bundle.ts'

/** Names listed in one diagnostic; the message says how many there are. */
const MAX_NAMES = 200

export function diagnostic(
  code: BundleDiagnosticCode,
  message: string,
  about: { readonly path?: string; readonly names?: readonly string[] } = {},
): BundleDiagnostic {
  return {
    code,
    message,
    path: about.path ?? null,
    names: [...(about.names ?? [])].slice(0, MAX_NAMES),
  }
}
