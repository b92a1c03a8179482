import { basename, dirname, extname, join, resolve } from 'node:path'
import {
  type RightsContract,
  type SaveOrder,
  rightsContract,
} from '../../../wire/internal/rights.ts'
import { type Handlers, type Port, serve } from '../../../wire/rpc.ts'
import { FORMATS_FOLDER } from '../../../engine/schema/formats-folder.ts'
import { COACH_FILES } from '../../workspace/coach-files.ts'
import { LABELS_FOLDER, LABELS_SUFFIX } from '../../workspace/labels-place.ts'
import { TOURS_FOLDER } from '../../workspace/tour-folder.ts'
import { KEPT_SESSIONS } from '../../workspace/saves.ts'
import { SKILL_RULES_FILES, type Workspace } from '../../workspace/workspace.ts'
import type { KeepAutomaton } from '../../platform/automata-places.ts'
import { refusal } from '../../platform/threads/refusal.ts'

/** Decides which labels may be written next to transcripts: those of files that the operator opened. */
export interface RightsDesk {
  /** Called when a file of the operator was opened. */
  readonly opened: (path: string) => void
  /** Answers the requests of a restricted thread. */
  readonly serve: (port: Port) => void
}

type Kind = SaveOrder['kind']

const DOMAIN_FILE = new Set(['.yaml', '.yml', '.json'])

/**
 * [F24] Performs operations for threads that read transcripts and have no rights themselves. A malicious transcript
 * could make a thread send requests, so every path is checked: each kind of file has its place, and no other file is
 * written. Git runs only through the gate (V37).
 * @param keep writes an automaton (C14); if omitted, none are stored
 */
export function createRightsDesk(
  { root, git, saves }: Workspace,
  keep: KeepAutomaton = () => false,
): RightsDesk {
  const beside = new Set<string>()
  const coach = new Set(Object.values(COACH_FILES).map((name) => join(root, name)))
  const drafts = join(root, '.turnscope', 'drafts')
  const places: Readonly<Record<Kind, (path: string) => boolean>> = {
    labels: (path) =>
      beside.has(path) ||
      (dirname(path) === join(root, LABELS_FOLDER) && path.endsWith(LABELS_SUFFIX)),
    domains: (path) =>
      (dirname(path) === join(root, 'profiles', 'domains') && DOMAIN_FILE.has(extname(path))) ||
      SKILL_RULES_FILES.some((shown) => path === join(root, shown)),
    coach: (path) => coach.has(path),
    tours: (path) => dirname(path) === join(root, TOURS_FOLDER) && extname(path) === '.yaml',
    formats: (path) =>
      dirname(path) === join(root, FORMATS_FOLDER) && DOMAIN_FILE.has(extname(path)),
    // A new file: one that is there is refused by its writer.
    sessions: (path) => dirname(path) === join(root, KEPT_SESSIONS) && extname(path) === '.jsonl',
    // One folder for each domain file.
    drafts: (path) => dirname(dirname(path)) === drafts && extname(path) === '.json',
  }

  function check(kind: Kind, path: string): void {
    // We never create a path that is not normalized.
    if (path === resolve(path) && places[kind](path)) return
    const what = `a thread may not write this as ${kind}`
    throw refusal({ what, where: path, do: 'Please report this: it is a fault of Turnscope' })
  }

  const handlers: Handlers<RightsContract> = {
    'save.files': (order) => {
      for (const { path } of order.files) check(order.kind, path)
      return saves.save(order)
    },
    'save.aside': async ({ path }) => {
      check('drafts', path)
      return { path: await saves.setAside(path) }
    },
    'automata.keep': ({ name, bytes }) => ({ kept: keep(name, bytes) }),
    'git.textAt': ({ path, revision }) => git.textAt(path, revision),
    'git.revisionsOf': ({ path }) => git.revisionsOf(path),
    'git.inOneRepository': async ({ paths }) => ({ same: await git.inOneRepository(...paths) }),
    'git.blame': async ({ path }) => ({ times: await git.blame(path) }),
  }

  return {
    opened: (path) => {
      const whole = resolve(path)
      const name = `${basename(whole, extname(whole))}${LABELS_SUFFIX}`
      beside.add(join(dirname(whole), name))
    },
    serve: (port) => serve(rightsContract, handlers, port),
  }
}
