import { messageOf } from '../../../engine/result.ts'
import { RpcError } from '../../../wire/rpc.ts'
import { refusal } from '../threads/refusal.ts'
import { openAtomic } from './atomic-file.ts'
import { refuseOutwardLink } from './outward-link.ts'

/**
 * [R10] [F21] Writes a file that the operator named: completely or not at all, and never through a link out of `root`.
 * System errors become refusals with path and advice. Errors of `texts` are rethrown. Returns the bytes written.
 */
export async function writeOutput(
  path: string,
  texts: AsyncIterable<string> | Iterable<string | Uint8Array>,
  { root, signal }: { readonly root: string; readonly signal?: AbortSignal },
): Promise<number> {
  refuseOutwardLink(root, path)
  const told = (error: unknown): never => {
    if (error instanceof RpcError) throw error
    const what = `it cannot be written (${messageOf(error)})`
    throw refusal({
      what,
      where: path,
      do: 'Check the path, its rights and the space that is left',
    })
  }
  const file = await openAtomic(path).catch(told)
  let bytes = 0
  try {
    for await (const text of texts) bytes += await file.write(text).catch(told)
    signal?.throwIfAborted()
    await file.commit().catch(told)
  } catch (error) {
    await file.discard().catch(() => undefined)
    throw error
  }
  return bytes
}
