import { join } from 'node:path'
import { type Result, err, ok } from '../../engine/result.ts'
import { cannotRead, isMissing, readText } from '../platform/files/regular-file.ts'

/** [R11] The program of an exported page, as the build leaves it in `dist/page`. */
export interface PageParts {
  /** Unpacks the other parts; the only part that is readable in the file. */
  readonly boot: string
  /** Host and engine, for a worker. */
  readonly host: string
  /** The window. */
  readonly app: string
  /** Its style sheet, with the fonts inside. */
  readonly style: string
}

const FILES = {
  boot: 'boot/boot.js',
  host: 'host/host.js',
  app: 'app/app.js',
  style: 'app/app.css',
} as const satisfies Record<keyof PageParts, string>

/** @param shipped the folder that ships with Turnscope */
export async function readPageParts(shipped: string): Promise<Result<PageParts>> {
  const folder = join(shipped, 'dist', 'page')
  try {
    const read = (name: keyof PageParts) => readText(join(folder, FILES[name]))
    const [boot, host, app, style] = await Promise.all([
      read('boot'),
      read('host'),
      read('app'),
      read('style'),
    ])
    return ok({ boot, host, app, style })
  } catch (error) {
    if (!isMissing(error)) return err(cannotRead(error, folder))
    const what = 'the program that goes into an exported page is not built'
    const advice = 'Wait until the background build of `npm start` is done, or run `npm run build`'
    return err({ what, where: folder, do: advice })
  }
}
