import { RedactionKind } from '../../../core/engine/schema/redaction.ts'
import { counted } from '../../ui/format.ts'
import type { Failure } from '../../app/async-data.ts'
import { failureOf, host } from '../../app/host.ts'

/** [U10] All labels of the corpus as text labels, handed to the browser with secrets taken out; says how many. */
export async function exportLabels(corpus: string): Promise<string | Failure> {
  try {
    const { lines, text } = await host().call('labels.export', { corpus })
    if (lines.length === 0) return 'The corpus has no label.'
    const kinds = [...RedactionKind.options]
    const safe = await host().call('export.text', { text, kinds })
    const url = URL.createObjectURL(new Blob([safe.text], { type: 'application/x-ndjson' }))
    const link = document.createElement('a')
    link.href = url
    link.download = 'labels.jsonl'
    link.click()
    URL.revokeObjectURL(url)
    const taken = safe.redacted > 0 ? `, ${counted(safe.redacted, 'value')} taken out` : ''
    return `${counted(lines.length, 'label')} written${taken}.`
  } catch (error) {
    return failureOf(error, 'Labels')
  }
}
