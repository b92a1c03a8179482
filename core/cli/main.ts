#!/usr/bin/env node
import process from 'node:process'
import { compilePatternsAtOnce } from '../host/rules/compile-patterns.ts'
import { EXIT } from './kit/output.ts'
import { runCommandLine } from './run.ts'

/** Ends quietly when the reader of a pipe went away (`turnscope … | head`). */
function surviveClosedPipe(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT.ok)
    throw error
  })
}

surviveClosedPipe()
compilePatternsAtOnce()
void runCommandLine(process.argv.slice(2))
