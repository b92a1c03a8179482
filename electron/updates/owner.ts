/** Facts about the location of this program. */
export interface InstallPlace {
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  /** Path of the running program. */
  readonly execPath: string
  /** Contents of `package-type` beside the archive, which electron-builder writes into deb and rpm; null without. */
  readonly packageType: string | null
  /** Microsoft's store. */
  readonly isWindowsStore: boolean
}

type Owner = readonly [name: string, holds: (place: InstallPlace, path: string) => boolean]

/** Paths are compared in lower case, with slashes. */
const OWNERS: readonly Owner[] = [
  ['apt', ({ packageType }) => packageType === 'deb'],
  ['the system’s package manager', ({ packageType }) => packageType !== null],
  ['snap', ({ env }) => env['SNAP'] !== undefined],
  ['flatpak', ({ env }, path) => env['FLATPAK_ID'] !== undefined || path.startsWith('/app/')],
  ['nix', (_, path) => path.startsWith('/nix/store/')],
  [
    'Homebrew',
    (_, path) =>
      path.includes('/caskroom/') || path.includes('/cellar/') || path.includes('/linuxbrew/'),
  ],
  ['Scoop', (_, path) => path.includes('/scoop/apps/')],
  ['Chocolatey', (_, path) => path.includes('/chocolatey/')],
  ['winget', (_, path) => path.includes('/winget/packages/')],
  ['the Microsoft Store', (place, path) => place.isWindowsStore || path.includes('/windowsapps/')],
]

/** [F180] The program that updates this install instead of Turnscope; null if there is none. */
export function ownerOf(place: InstallPlace): string | null {
  const path = place.execPath.replaceAll('\\', '/').toLowerCase()
  return OWNERS.find(([, holds]) => holds(place, path))?.[0] ?? null
}
