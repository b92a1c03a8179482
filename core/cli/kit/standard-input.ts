import { open, rmSync } from '../../host/platform/files/fenced-fs.ts'
import { processFolder } from '../../host/platform/files/process-folder.ts'
import { join } from 'node:path'
import { MAX_UPLOAD_BYTES } from '../../host/uploads/main/upload-faults.ts'
import { CommandError } from './output.ts'

/** The argument that means standard input. */
export const STANDARD_INPUT = '-'

/**
 * [I61] Standard input as a file that any format can be read from, in a folder of this user only; it is
 * removed when the program ends. No more is taken than of a file that is dropped into a window.
 */
export async function spoolStandardInput(
  most: number = MAX_UPLOAD_BYTES,
  input: AsyncIterable<Buffer> = process.stdin,
): Promise<string> {
  const folder = processFolder('turnscope-stdin')
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'standard-input')
  const file = await open(path, 'wx', 0o600)
  let received = 0
  try {
    for await (const chunk of input) {
      received += chunk.length
      if (received > most) throw tooMuch(most)
      await file.write(chunk)
    }
  } finally {
    await file.close()
  }
  return path
}

function tooMuch(most: number): CommandError {
  return new CommandError({
    what: `more than ${most} bytes came`,
    where: 'standard input',
    do: 'Write it into a file and name that',
  })
}
