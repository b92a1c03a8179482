/** The dependency rule of ARCHITECTURE.md as data. Every rule says why it is there. Debts: none. */
const test = '\\.test\\.tsx?$'
/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      comment: 'A cycle has no reading order.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'engine-is-pure',
      severity: 'error',
      comment: 'The engine replays the same everywhere: itself, zod and pure libraries only.',
      from: { path: '^core/engine', pathNot: test },
      to: { pathNot: ['^core/engine', '^node_modules/(zod|@huggingface/jinja|gpt-tokenizer)/'] },
    },
    {
      name: 'stages-do-not-know-each-other',
      severity: 'error',
      comment: 'pipeline.ts knows the order; a stage that imports a stage hides it.',
      from: {
        path: '^core/engine/(belief|query|prompt|self-signal|probe|bundle|coach)/',
        pathNot: test,
      },
      to: {
        path: '^core/engine/(belief|query|prompt|self-signal|probe|bundle|coach)/',
        pathNot: '^core/engine/$1/',
      },
    },
    {
      name: 'contract-is-schema-only',
      severity: 'error',
      comment: 'The renderer imports the contract: it may pull in schemas and nothing that runs.',
      from: { path: '^core/wire/', pathNot: test },
      to: { pathNot: ['^core/wire/', '^core/engine/schema/', '^node_modules/zod/'] },
    },
    {
      name: 'main-process-runs-no-thread',
      severity: 'error',
      comment: 'What a thread does would hold up every window; the main process knows its contract.',
      from: { path: '^core/host/main/', pathNot: test },
      to: { path: '^core/host/(session|lab|probe)/' },
    },
    {
      name: 'main-process-loads-no-importers',
      severity: 'error',
      comment: 'They are a hundred modules; a window that starts waits for the main process.',
      from: { path: '^core/host/main/', pathNot: test },
      to: { path: '^core/(engine/import|host/files/(read|live|transcript))', dynamic: false },
    },
    {
      name: 'threads-do-not-know-each-other',
      severity: 'error',
      comment: 'A folder is what one thread runs; what several run lies in files/ or shared/.',
      from: { path: '^core/host/(session|lab|probe)/', pathNot: test },
      to: { path: '^core/host/(main|session|lab|probe)/', pathNot: '^core/host/$1/' },
    },
    {
      name: 'shared-knows-no-thread',
      severity: 'error',
      comment: 'Otherwise a thread would load another one by way of what they share.',
      from: { path: '^core/host/(files|shared)/', pathNot: test },
      to: { path: '^core/host/(main|session|lab|probe)/' },
    },
    {
      name: 'core-knows-no-shell',
      severity: 'error',
      comment: 'The same host runs in Electron, in serve mode and in the CLI.',
      from: { path: '^core', pathNot: test },
      to: { path: '^(electron|renderer|fixtures|e2e|bench|scripts|node_modules/electron)(/|$)' },
    },
    {
      name: 'renderer-sees-the-contract-only',
      severity: 'error',
      comment: 'The renderer computes nothing: contract, rpc, schema types.',
      from: { path: '^renderer', pathNot: test },
      to: { path: '^(core|electron)/', pathNot: '^core/(wire|engine/schema)/' },
    },
    {
      name: 'renderer-no-node',
      severity: 'error',
      comment: 'The renderer is a sandboxed page.',
      from: { path: '^renderer', pathNot: test },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'electron-only-in-electron',
      severity: 'error',
      comment: 'Importing electron elsewhere would need its binary.',
      from: { pathNot: '^electron/' },
      to: { path: '^node_modules/electron/' },
    },
    {
      name: 'no-test-code-in-production',
      severity: 'error',
      comment: 'Fixtures and tests are not shipped.',
      from: { path: '^(core|electron|renderer)', pathNot: test },
      to: { path: '(^(fixtures|e2e|bench)/|\\.test\\.tsx?$)' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js'],
    },
  },
}
