import type { Shell } from 'electron'

/** Links that a click may open in the operator's browser. The Help menu uses the same list. */
export const HELP_LINKS = [
  { label: 'Python Regular Expressions', url: 'https://docs.python.org/3/library/re.html' },
  {
    label: 'JavaScript Regular Expressions',
    url: 'https://developer.mozilla.org/en-US/docs/Web/JavaScript/Guide/Regular_expressions',
  },
] as const

const HOSTS: ReadonlySet<string> = new Set(HELP_LINKS.map(({ url }) => new URL(url).host))

/** True for https pages on the allow-list of hosts: default port, no user name in the URL. */
export function isAllowedLink(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, host, username, password } = new URL(url)
  return protocol === 'https:' && HOSTS.has(host) && username === '' && password === ''
}

/** The only call of `shell.openExternal`. Links that are not on the list are dropped without a message. */
export function openExternalLink(shell: Pick<Shell, 'openExternal'>, url: string): void {
  if (isAllowedLink(url)) void shell.openExternal(url)
}
