import type { Command } from 'commander'
import { writeFileAtomic } from '../host/atomic-file.ts'
import { convert } from './convert.ts'
import { withCommon } from './options.ts'
import { notice, print, valueOrFail } from './output.ts'

interface ConvertOptions {
  readonly output?: string
}

/** `convert FILE [-o OUT]`: any known format as native JSONL. */
export function addConvert(program: Command): void {
  const command = program
    .command('convert')
    .description('write a transcript of any known format as native JSONL')
    .argument('<file>', 'transcript')
    .option('-o, --output <file>', 'file to write (default: stdout)')
  withCommon(command).action(async (file: string, { output }: ConvertOptions) => {
    const { text, transcript } = valueOrFail(await convert(file))
    const [first] = transcript.problems
    if (first) {
      const count = transcript.problemTotal
      const lines = count === 1 ? '1 line' : `${count} lines`
      notice(`${file}:${first.line}: ${lines} could not be used, first: ${first.message}`)
    }
    if (output === undefined) await print(text)
    else await writeFileAtomic(output, text)
  })
}
