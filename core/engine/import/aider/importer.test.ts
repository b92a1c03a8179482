import { describe, expect, it } from 'vitest'
import { seekAider } from './importer.ts'

const HEADER = '# aider chat started at 2025-01-02 03:04:05'
const LOG = `${HEADER}\n\n> Aider v0.84.0  \n\n#### do it  \n\nDone.\n`

function found(text: string): boolean {
  return text.split('\n').some(seekAider())
}

describe('[I104] an Aider history that does not begin with its header', () => {
  it.each([
    ['an answer', `it is done.\n\n${LOG}`],
    [
      'an answer that was cut in a code block',
      `x = 1\n\`\`\`\n\nThen:\n\n\`\`\`python\ny\n\`\`\`\n\n${LOG}`,
    ],
    ['a code block that never ends', `\`\`\`\nx\n\`\`\`\n#### now  \n\`\`\`\n\n${LOG}`],
    ['a session without messages', `text\n${HEADER}\n> Aider v1  \n\n${LOG}`],
    ['nothing but a byte order mark', `\ufeff${LOG}`],
  ])('is found behind %s', (_what, text) => expect(found(text)).toBe(true))

  it.each([
    ['a quotation in a code block', `# Notes\n\n\`\`\`\n${LOG}\`\`\`\n\n#### What it means\n`],
    ['one with a language', `Notes:\n\n\`\`\`markdown\n${LOG}\`\`\`\n`],
    ['a quotation of a quotation', LOG.replaceAll(/^/gm, '> ')],
    ['a heading alone', `text\n${HEADER}\n\nThat is how it begins.\n\n#### Then\n`],
    ['a header and its banner, without a message', `text\n${HEADER}\n\n> Aider v0.84.0  \n`],
    ['marks without a header', `> Aider v0.84.0  \n\n#### do it  \n`],
  ])('is not found in %s', (_what, text) => expect(found(text)).toBe(false))
})
