/** A text with what must not leave this machine taken out. */
export interface Redacted {
  readonly text: string
  /** Values that were taken out. */
  readonly redacted: number
}

/**
 * TEMPORARY ADAPTER, replaced at the merge by `core/engine/redact/`: the few simple kinds below. The
 * coach calls `redact` and nothing else, so only this file changes.
 */
const RULES: ReadonlyArray<readonly [pattern: RegExp, label: string]> = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, 'key'],
  [
    /\b(?:sk-[\w-]{16,}|(?:gh[pousr]|glpat|xox[abprs])[-_][\w-]{16,}|AKIA[0-9A-Z]{16}|AIza[\w-]{30,})/g,
    'token',
  ],
  [/\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{5,}/g, 'token'],
  [/\b(?:Bearer|Basic)\s+[\w.~+/=-]{16,}/g, 'token'],
  [
    /\b((?:api[_-]?key|secret|token|passw(?:or)?d)["']?\s*[:=]\s*["']?)(?!\[)[^\s"',;]{8,}/gi,
    'secret',
  ],
  [/\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{2,63})+\b/g, 'email'],
  [/((?:\/home|\/Users|[A-Z]:\\Users)[/\\])(?!\[)[\w.-]+/g, 'home'],
]

/** Takes tokens, secrets, e-mail addresses and home folders out; the rest stays unit for unit. */
export function redact(text: string): Redacted {
  let redacted = 0
  let out = text
  for (const [pattern, label] of RULES) {
    out = out.replace(pattern, (_: string, kept: unknown) => {
      redacted += 1
      return `${typeof kept === 'string' ? kept : ''}[${label}]`
    })
  }
  return { text: out, redacted }
}
