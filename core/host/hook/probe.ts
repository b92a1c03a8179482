import { spawn } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'
import { parseJson } from '../../engine/result.ts'
import { stablePath } from './program.ts'

/** Whether an installed command answers. `why` describes its actual behaviour. */
export type Probed =
  | { readonly answers: true; readonly injects: boolean }
  | { readonly answers: false; readonly why: string }

/** Milliseconds after which a command is ended: agents wait as long. */
const PATIENCE_MS = 10_000
/** Characters of output that are kept. */
const MOST = 100_000

/** A prompt that most rules know something about. It is not recorded. */
const PROMPT = 'Fix the crash in the parser'

/**
 * [F198] Runs an installed command as an agent does, with a prompt that is not recorded: by a shell, and without the
 * folders of PATH that a package runner added for this run.
 */
export async function probeHook(command: string, env: NodeJS.ProcessEnv): Promise<Probed> {
  const input = JSON.stringify({
    session_id: 'turnscope-status',
    conversation_id: 'turnscope-status',
    prompt: PROMPT,
    hook_event_name: 'UserPromptSubmit',
  })
  const { code, out, error } = await runShell(`${command} --no-record`, input, {
    ...env,
    PATH: stablePath(env['PATH'] ?? ''),
  })
  const said = stripVTControlCharacters(error).trim().split('\n', 1)[0] ?? ''
  if (code === null) return { answers: false, why: said === '' ? 'no answer within 10 s' : said }
  if (code !== 0)
    return { answers: false, why: `exit code ${code}${said === '' ? '' : `: ${said}`}` }
  if (said !== '') return { answers: false, why: said }
  if (out.trim() === '') return { answers: true, injects: false }
  const isJson = parseJson(out).ok
  return isJson
    ? { answers: true, injects: out.includes('additionalContext') }
    : { answers: false, why: 'it printed something else than JSON' }
}

interface Ran {
  /** Null when it was ended, or did not start. */
  readonly code: number | null
  readonly out: string
  readonly error: string
}

function runShell(command: string, input: string, env: NodeJS.ProcessEnv): Promise<Ran> {
  return new Promise((resolve) => {
    // A separate process group, so that processes started by the shell end with it.
    const isGroup = process.platform !== 'win32'
    const child = spawn(command, { shell: true, env, detached: isGroup, windowsHide: true })
    const texts = { out: '', error: '' }
    const keep = (key: keyof typeof texts) => (chunk: string) => {
      texts[key] = (texts[key] + chunk).slice(0, MOST)
    }
    child.stdout.setEncoding('utf8').on('data', keep('out'))
    child.stderr.setEncoding('utf8').on('data', keep('error'))
    const end = (code: number | null, error = texts.error) => {
      clearTimeout(timer)
      resolve({ ...texts, code, error })
    }
    const timer = setTimeout(() => {
      if (isGroup && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      else child.kill('SIGKILL')
      end(null)
    }, PATIENCE_MS)
    child.once('error', (error) => end(null, error.message))
    child.once('close', (code) => end(code))
    // A command that reads nothing closes its end.
    child.stdin.on('error', () => undefined)
    child.stdin.end(input)
  })
}
