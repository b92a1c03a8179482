/** `npm run bench -- prepare`: what is left out of texts before they are scored, next to the scan of the same texts. */
import { scoredText } from '../core/engine/belief/text.ts'
import { scanText, warmUp } from '../core/engine/matcher/scan.ts'
import { createTextFacts } from '../core/engine/matcher/text-facts.ts'
import { FULL_CORPUS, makeCorpus } from './corpus.ts'
import { fastest, type Section } from './measure.ts'
import { loadPresetFile } from './preset.ts'
import { bytesOf, defaultSignals } from './scan-parts.ts'

const TURNS = 5_000
const ROUNDS = 5

/** Share of the scan's time that preparing takes, by preset. */
export async function benchPrepare(): Promise<Section> {
  const corpus = await makeCorpus({ ...FULL_CORPUS, turns: TURNS })
  const texts = corpus.sessions.flatMap((turns) => turns.map(({ text }) => text))
  const { signals } = defaultSignals()
  warmUp(signals)
  const scan = fastest(ROUNDS, () => {
    for (const text of texts) scanText(signals, createTextFacts(text))
  })
  const rows = ['literal', 'recommended', 'field'].map((name) => {
    const { belief } = loadPresetFile(name)
    let left = 0
    const seconds = fastest(ROUNDS, () => {
      left = 0
      for (const text of texts) left += text.length - scoredText(text, belief).text.length
    })
    const share = (100 * seconds) / scan
    return [name, (seconds * 1000).toFixed(1), `${share.toFixed(1)} %`, String(left)]
  })
  return {
    title: 'prepare',
    head: ['preset', 'ms', 'of the scan', 'characters left out'],
    rows,
    notes: [
      `${texts.length} turns, ${(bytesOf(texts) / 1e6).toFixed(1)} MB; the scan took ${(scan * 1000).toFixed(0)} ms`,
    ],
    failed: false,
  }
}
