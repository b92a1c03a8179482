import { chmod, mkdir, stat } from './fenced-fs.ts'

/**
 * [F172] Makes a folder that only its owner can enter, before anything is written to it. A folder that exists loses
 * the rights of others. Rejects when it cannot be made, or belongs to another account.
 */
export async function makePrivate(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // Windows has no such modes: a folder there has the rights of the account's folder around it.
  if (process.platform === 'win32') return
  const { mode } = await stat(folder)
  if ((mode & 0o777) !== 0o700) await chmod(folder, 0o700)
}
