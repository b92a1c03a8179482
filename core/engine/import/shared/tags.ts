/**
 * A text without the elements of these names, including tags and contents. An unclosed element stays. Takes time linear
 * in the text.
 */
export function withoutElements(text: string, names: readonly string[]): string {
  return names.reduce(withoutElement, text)
}

function withoutElement(text: string, name: string): string {
  const opening = `<${name}`
  const closing = `</${name}>`
  const kept: string[] = []
  let at = 0
  for (let open = text.indexOf(opening); open >= 0;) {
    const after = text.charAt(open + opening.length)
    const isTag = after === '>' || /\s/.test(after)
    const close = isTag ? text.indexOf(closing, open) : open
    if (close < 0) break
    if (isTag) {
      kept.push(text.slice(at, open))
      at = close + closing.length
    }
    open = text.indexOf(opening, isTag ? at : open + opening.length)
  }
  return kept.join('') + text.slice(at)
}
