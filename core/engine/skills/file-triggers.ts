import { globRegex } from '../matcher/paths.ts'
import { type Guard, scanText } from '../matcher/scan.ts'
import { type CompiledSignal, compileSignal } from '../matcher/signal.ts'
import { createTextFacts } from '../matcher/text-facts.ts'
import type { Problem } from '../result.ts'
import type { FileTriggers } from '../schema/domain.ts'
import type { EditTrace, EditVerdict } from '../schema/edit-trace.ts'
import type { Edit } from './edits.ts'

interface Glob {
  readonly glob: string
  readonly regex: RegExp
}

/** The file triggers of one skill, ready to be asked. */
export interface CompiledFileTriggers {
  readonly paths: readonly Glob[]
  readonly exclusions: readonly Glob[]
  readonly contents: readonly CompiledSignal[]
  readonly createOnly: boolean
  readonly markers: readonly string[]
  /** Not after the skill was opened in the session. */
  readonly once: boolean
}

const globsOf = (globs: readonly string[] = []): readonly Glob[] =>
  globs.map((glob) => ({ glob, regex: globRegex(glob) }))

/** [K24] Compiles the file triggers of a skill; a content pattern that does not compile joins `problems`. */
export function compileFileTriggers(
  triggers: FileTriggers | undefined,
  where: string,
  problems: Problem[],
): CompiledFileTriggers | null {
  if (triggers === undefined) return null
  const contents = (triggers.contentPatterns ?? []).flatMap((pattern, at) => {
    const place = `${where}, content pattern ${at + 1}`
    const compiled = compileSignal({ pattern, dialect: 'js' }, place, { asciiBoundaries: false })
    if (compiled.ok) return [compiled.value]
    problems.push(compiled.error)
    return []
  })
  return {
    paths: globsOf(triggers.pathPatterns),
    exclusions: globsOf(triggers.pathExclusions),
    contents,
    createOnly: triggers.createOnly === true,
    markers: triggers.fileMarkers ?? [],
    once: triggers.sessionSkillUsed === true,
  }
}

interface Named {
  readonly name: string
  readonly fileTriggers: CompiledFileTriggers | null
}

interface Asked {
  readonly edit: Edit
  /** Earlier openings of skills, by name. */
  readonly used: ReadonlyMap<string, number>
  /** Runs user patterns under the watchdog. */
  readonly guard: Guard
}

interface Verdict {
  readonly verdict: EditVerdict
  readonly by: string | null
}

/** A glob that the watchdog cuts off does not match. */
function firstGlob(globs: readonly Glob[], { edit, guard }: Asked): Glob | undefined {
  return globs.find(({ regex }) => {
    const found = { hit: false }
    guard(() => {
      found.hit = regex.test(edit.path)
    })
    return found.hit
  })
}

function contentThatMatches(contents: readonly CompiledSignal[], { edit, guard }: Asked) {
  const { fired } = scanText(contents, createTextFacts(edit.text), guard)
  return contents[fired[0] ?? -1]
}

/** The first of these that holds, in the order in which the published hook asks. */
function verdictOf({ name, fileTriggers }: Named, asked: Asked): Verdict {
  const { edit, used } = asked
  const on = fileTriggers
  if (on === null) return { verdict: 'fires', by: null }
  if (on.once && (used.get(name) ?? Infinity) < edit.seq) return { verdict: 'used', by: null }
  const exclusion = firstGlob(on.exclusions, asked)
  if (exclusion !== undefined) return { verdict: 'excluded', by: exclusion.glob }
  const marker = on.markers.find((one) => edit.text.includes(one))
  if (marker !== undefined) return { verdict: 'marked', by: marker }
  if (on.createOnly && !edit.whole) return { verdict: 'not_created', by: null }
  if (on.contents.length === 0) return { verdict: 'fires', by: null }
  const content = contentThatMatches(on.contents, asked)
  return content === undefined
    ? { verdict: 'no_content', by: on.contents.map(({ pattern }) => pattern).join(' | ') }
    : { verdict: 'fires', by: content.pattern }
}

/** [K24] [K25] The skills whose path patterns an edited file matches, with whether each fires and why not. */
export function traceEdit(skills: readonly Named[], asked: Asked): EditTrace {
  const { edit } = asked
  const { seq, tool, path, whole } = edit
  return {
    seq,
    tool,
    path,
    whole,
    skills: skills.flatMap((skill) => {
      const glob = firstGlob(skill.fileTriggers?.paths ?? [], asked)
      if (glob === undefined) return []
      return [{ skill: skill.name, glob: glob.glob, ...verdictOf(skill, asked) }]
    }),
  }
}
