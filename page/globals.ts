import { Buffer } from 'buffer'

// Names that Node puts on the global object and the host uses.
Object.assign(globalThis, {
  Buffer,
  process: {
    env: {},
    pid: 1,
    platform: 'linux',
    versions: { node: '24.0.0' },
    allowedNodeEnvironmentFlags: new Set<string>(),
    cwd: () => '/workspace',
    kill: () => true,
    threadCpuUsage: () => ({ user: performance.now() * 1000, system: 0 }),
    stdout: { write: () => true },
    stderr: { write: () => true },
    on: () => undefined,
    nextTick: (work: () => void) => queueMicrotask(work),
  },
  setImmediate: (work: () => void) => setTimeout(work, 0),
})
