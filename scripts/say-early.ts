/** [F211] The first line of `npm start`. A constant, so that nothing has to be loaded to make it safe to print. */
export function sayFirst(): void {
  process.stderr.write('Starting Turnscope: checking which parts are built…\n')
}

/** [F12] Says what went wrong. Its names come from arguments and files: control characters become visible. */
export async function sayProblem(text: string): Promise<void> {
  const { writeText } = await import('../core/host/platform/terminal.ts')
  writeText('stderr', `${text}\n`)
}
