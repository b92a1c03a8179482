import type { ProbeResult } from '../../../core/engine/schema/probe.ts'
import { Block, Section } from '../../ui/parts.tsx'

/** The block that goes into the prompt, letter for letter. */
export function PromptBlock({ result }: { readonly result: ProbeResult }) {
  if (result.prompt === null)
    return (
      <Section title="Goes into the prompt">
        <p>Nothing: without a hit the prompt receives no context.</p>
      </Section>
    )
  return (
    <Section title="Goes into the prompt" copy={{ text: result.prompt, what: 'block' }}>
      <Block label="Block for the prompt">{result.prompt}</Block>
    </Section>
  )
}
