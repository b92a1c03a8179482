const SPEAKER = /^(user|assistant|system|tool): ?/

/**
 * tau-bench's few-shot form: a whole conversation in one text, a speaker and a colon at the
 * beginning of each message. `None` is what Python prints for a message that only calls a tool.
 */
export function messagesOfDisplay(
  display: string,
): ReadonlyArray<{ readonly role: string; readonly content: string | null }> {
  const messages: Array<{ role: string; lines: string[] }> = []
  for (const line of display.split('\n')) {
    const match = SPEAKER.exec(line)
    if (match?.[1] !== undefined)
      messages.push({ role: match[1], lines: [line.slice(match[0].length)] })
    else messages.at(-1)?.lines.push(line)
  }
  return messages.map(({ role, lines }) => {
    const content = lines.join('\n')
    return { role, content: content.trim() === 'None' ? null : content }
  })
}
