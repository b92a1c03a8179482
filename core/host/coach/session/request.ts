import { hash } from 'node:crypto'
import type { z } from 'zod'
import type { CoachCall } from '../../../engine/schema/coach-wire.ts'
import { cutForModel } from '../../../engine/coach/cut.ts'
import { FRAME_RULE, boundaryOf, framed } from '../../../engine/coach/framed.ts'
import { withoutSelfSignals } from '../../../engine/own-words.ts'
import { renderTemplate } from '../../../engine/prompt/template.ts'
import { redactText } from '../../../engine/redact/redact.ts'
import { type Result, ok } from '../../../engine/result.ts'
import type { CoachContext } from '../../../engine/schema/coach.ts'
import { DEFAULT_KINDS } from '../../../engine/schema/redaction.ts'
import { chars4 } from '../../../engine/tokens.ts'
import type { CoachFiles } from './prompt-files.ts'
import { COACH_FILES } from '../../workspace/coach-files.ts'

/** One call as it would be sent, and not a character more. */
export type CoachRequest = Readonly<Omit<z.infer<typeof CoachCall>, 'gated'>>

/**
 * [V14] [V44] The request for one output, each text of the transcript between marks. Redaction comes before the cut, or a cut through a secret would
 * leave a half that no pattern knows. Self-signals are taken out first (V50).
 */
export function buildRequest(
  files: CoachFiles,
  output: string,
  context: CoachContext,
): Result<CoachRequest> {
  let redacted = 0
  const onSecret = () => {
    redacted += 1
  }
  const clean = (text: string) => redactText(text, { kinds: DEFAULT_KINDS, onSecret })
  const cut = cutForModel(files.coach, clean(withoutSelfSignals(output)))
  const plan = clean(context.plan ?? '')
  const skill = clean(context.skill ?? '')
  const criteria = context.criteria.map(clean)
  const boundary = boundaryOf([cut.text, plan, skill, ...criteria], (text) => hash('sha256', text))
  const values = {
    output: framed(cut.text, boundary),
    removed: cut.removed,
    plan: framed(plan, boundary),
    skill: framed(skill, boundary),
    criteria: criteria.map((one) => framed(one, boundary)),
  }
  const user = renderTemplate(files.user, values, COACH_FILES.user)
  if (!user.ok) return user
  const { promptHash } = files
  const system = `${FRAME_RULE}\n\n${files.system}`
  const tokens = chars4(system) + chars4(user.value.text)
  return ok({ system, user: user.value.text, removed: cut.removed, redacted, promptHash, tokens })
}

const PREVIEW = 120
/** Enough that a secret which the preview shows the beginning of is recognised as a whole. */
const LOOK_AT = 8000

/** [V16] The beginning of an output on one line, after redaction. */
export function previewOf(output: string): string {
  const text = redactText(output.slice(0, LOOK_AT), { kinds: DEFAULT_KINDS })
  return text
    .slice(0, PREVIEW * 2)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, PREVIEW)
}
