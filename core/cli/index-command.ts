import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { Indexed } from '../host/probe/collections/indexer.ts'
import { withWorkspace } from './options.ts'
import { EXIT, notice, print } from './output.ts'
import { watched, withProbe } from './probe-desk.ts'

interface IndexOptions {
  readonly workspace: string
  readonly rebuild?: boolean
  readonly json?: boolean
}

/** [D49] `index COLLECTION PATH…`: brings a collection of the probe up to date with its documents. */
export function addIndex(program: Command): void {
  const command = program
    .command('index')
    .description('bring a collection of the semantic probe up to date with its documents')
    .argument('<collection>', 'name; a new one is added to profiles/collections.yaml')
    .argument('[path...]', 'folders and files that join the collection (default: those it has)')
    .option('--rebuild', 'make all vectors anew, also those of another embedder')
    .option('--json', 'one line of JSON instead of text')
  withWorkspace(command).action(runIndex)
}

async function runIndex(
  collection: string,
  paths: readonly string[],
  { workspace, rebuild = false, json = false }: IndexOptions,
): Promise<void> {
  const request = { collection, rebuild, paths: paths.map((path) => resolve(path)) }
  try {
    const indexed = await withProbe(workspace, ({ service, settings }) =>
      watched((work) => service.index(request, settings, work)),
    )
    if (indexed.note !== null) notice(`${collection}: ${indexed.note}`)
    for (const { path, reason } of indexed.skipped) notice(`${path}: passed over, ${reason}`)
    const line = json ? JSON.stringify({ collection, ...indexed }) : said(collection, indexed)
    await print(`${line}\n`)
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
    notice('cancelled; what was done so far is kept, the same command goes on')
    process.exitCode = EXIT.usage
  }
}

function said(collection: string, indexed: Indexed): string {
  const { documents, chunks, added, changed, removed, calibrated } = indexed
  const what = `${added} added, ${changed} changed, ${removed} removed`
  const least = calibrated === null ? '' : `; null phrases stay below ${calibrated.toFixed(2)}`
  return `${collection}: ${documents} documents in ${chunks} chunks (${what})${least}`
}
