/** The dependency rule of ARCHITECTURE.md as data. Every rule says why it is there. Debts: those of SESSION. */
const test = '\\.test\\.tsx?$'
/** The probe and the results of batches run in threads of their own; their folders main, session and lab do not. */
const OWN_THREAD = '^core/host/(probe|results)/(?!(main|session|lab)/)'

/** What a feature of the window may take from other features: parts that are really shown or asked in both. */
const REUSE = {
  budget: ['bundle', 'prompt'],
  bundle: ['budget', 'prompt', 'turns'],
  'coach-lab': ['coach', 'lab'],
  collections: ['probe'],
  compare: ['flips', 'lab', 'lab-corpus', 'probe', 'tune'],
  decision: ['tune'],
  dock: ['lab-corpus'],
  find: ['library', 'turns'],
  export: ['dock', 'tours', 'tune'],
  flips: ['find', 'lab', 'lab-corpus', 'label', 'queue'],
  lab: ['dock', 'find', 'flips', 'lab-corpus', 'label', 'tune', 'wrong'],
  label: ['flips', 'lab', 'lab-corpus', 'queue', 'turns', 'wrong'],
  library: ['export', 'find'],
  live: ['follow'],
  playground: ['budget', 'prompt', 'self-signals', 'turns'],
  probe: ['coach', 'prompt'],
  'probe-lab': ['coach', 'lab', 'lab-corpus', 'probe'],
  prompt: ['probe', 'self-signals'],
  queue: ['find', 'lab', 'lab-corpus', 'label'],
  results: ['lab-corpus'],
  tours: ['lab-corpus', 'tune'],
  scratch: ['budget', 'coach', 'probe', 'prompt'],
  tune: ['dock', 'flips', 'lab', 'lab-corpus', 'scratch'],
  turns: ['bundle', 'coach', 'find', 'follow', 'lab-corpus', 'label', 'self-signals', 'wrong'],
  'why-not': ['dock', 'flips', 'lab', 'lab-corpus', 'tune'],
  wrong: ['dock', 'lab-corpus', 'tune'],
}

/** Features that are pieces of the shell, and the files of the shell that show them. */
const SHELL =
  '^renderer/app/(features|banners|boot|drop-target|header|inspector|shell|stages|turn-line|workbench)\\.tsx?$'
/** The steps of a session's life: they tell the features that follow it. Debts: none of these is a row yet. */
const SESSION = '^renderer/app/(go-to|grow|link|linked-content|open|replay|select|store)\\.ts$'

const reuse = Object.entries(REUSE).map(([name, others]) => ({
  name: `feature-${name}-reuses-what-is-listed`,
  severity: 'error',
  comment: 'A feature is read in its own folder: what it takes from another one is on the list.',
  from: { path: `^renderer/features/${name}/`, pathNot: test },
  to: {
    path: '^renderer/features/',
    pathNot: `^renderer/features/(${[name, ...others].join('|')})/`,
  },
}))
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
      comment:
        'What a thread does would hold up every window; the main process knows its contract.',
      from: { path: '^core/host/[^/]+/main/', pathNot: test },
      to: { path: ['^core/host/[^/]+/(session|lab)/', OWN_THREAD] },
    },
    {
      name: 'main-process-loads-no-importers',
      severity: 'error',
      comment: 'They are a hundred modules; a window that starts waits for the main process.',
      from: { path: '^core/host/[^/]+/main/', pathNot: test },
      to: {
        path: '^core/(engine/import|host/transcripts/(read|open-transcript|transcript))',
        dynamic: false,
      },
    },
    {
      name: 'threads-do-not-know-each-other',
      severity: 'error',
      comment:
        'A folder main, session or lab is what that thread runs; other files may run in any.',
      from: { path: '^core/host/[^/]+/(session|lab)/', pathNot: test },
      to: {
        path: ['^core/host/[^/]+/(main|session|lab)/', OWN_THREAD],
        pathNot: '^core/host/[^/]+/$1/',
      },
    },
    {
      name: 'own-threads-know-no-other',
      severity: 'error',
      comment: 'The probe and the tables of results run in threads of their own.',
      from: { path: OWN_THREAD, pathNot: test },
      to: {
        path: ['^core/host/[^/]+/(main|session|lab)/', OWN_THREAD],
        pathNot: '^core/host/$1/(?!(main|session|lab)/)',
      },
    },
    {
      name: 'shared-knows-no-thread',
      severity: 'error',
      comment: 'Otherwise a thread would load another one by way of what they share.',
      from: {
        path: '^core/host/',
        pathNot: [test, '^core/host/entries/', '^core/host/[^/]+/(main|session|lab)/', OWN_THREAD],
      },
      to: { path: ['^core/host/[^/]+/(main|session|lab)/', OWN_THREAD] },
    },
    {
      name: 'platform-knows-no-capability',
      severity: 'error',
      comment: 'Files, threads, rights and guards are below everything that uses them.',
      from: { path: '^core/host/platform/', pathNot: test },
      to: { path: '^core/host/', pathNot: '^core/host/platform/' },
    },
    {
      name: 'only-programs-load-entries',
      severity: 'error',
      comment:
        'An entry lists what one thread loads; a capability that knew it would know them all.',
      from: { path: '^core/host/', pathNot: [test, '^core/host/entries/'] },
      to: { path: '^core/host/entries/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'kit-knows-no-command',
      severity: 'error',
      comment: 'Tables, options and output are the same for every command.',
      from: { path: '^core/cli/kit/', pathNot: test },
      to: { path: '^core/cli/', pathNot: '^core/cli/kit/' },
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
      comment:
        'The renderer computes nothing: contract, rpc, schema types; and one rule each for whether and why a labelled turn is wrong, over columns that it has (T10, T70); the sentences and intervals that terminal and window share (L81, L83, L84, L86, L93).',
      from: { path: '^renderer', pathNot: test },
      to: {
        path: '^(core|electron)/',
        pathNot:
          '^core/(wire/|engine/schema/|engine/skills/edit-words\\.ts$|engine/lab/(metrics/(label|basis-words|interval)|why/why-wrong|queue/(words|precision)|readers/readings|propose/words|weights/words)\\.ts$)',
      },
    },
    {
      name: 'renderer-no-node',
      severity: 'error',
      comment: 'The renderer is a sandboxed page.',
      from: { path: '^renderer', pathNot: test },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'timeline-knows-no-feature',
      severity: 'error',
      comment: 'A lane comes to the timeline through the interface of lanes (timeline/lane.tsx).',
      from: { path: '^renderer/timeline/', pathNot: test },
      to: { path: '^renderer/(app|features)/' },
    },
    {
      name: 'ui-knows-no-feature',
      severity: 'error',
      comment: 'Parts of the kit are the same for every feature.',
      from: { path: '^renderer/ui/', pathNot: test },
      to: { path: '^renderer/(features|timeline)/' },
    },
    {
      name: 'features-come-through-the-list',
      severity: 'error',
      comment: 'The window knows features by their rows in app/features.ts.',
      from: { path: '^renderer/(app/|main)', pathNot: [test, SHELL, SESSION] },
      to: { path: '^renderer/features/' },
    },
    {
      name: 'features-reuse-what-is-listed',
      severity: 'error',
      comment: 'A feature without an entry in REUSE takes nothing from other features.',
      from: {
        path: '^renderer/features/([^/]+)/',
        pathNot: [test, `^renderer/features/(${Object.keys(REUSE).join('|')})/`],
      },
      to: { path: '^renderer/features/', pathNot: '^renderer/features/$1/' },
    },
    ...reuse,
    {
      name: 'electron-only-in-electron',
      severity: 'error',
      comment: 'Importing electron elsewhere would need its binary.',
      from: { pathNot: '^electron/' },
      to: { path: '^node_modules/electron/' },
    },
    {
      name: 'stores-are-add-ons',
      severity: 'error',
      comment:
        'An add-on is loaded when a collection names it: only the table of drivers knows it.',
      from: {
        path: '^(core|electron|renderer|scripts|bench)/',
        pathNot: ['^core/host/probe/store/drivers\\.ts$', test],
      },
      to: { path: '^addons/' },
    },
    {
      name: 'add-ons-are-loaded-when-named',
      severity: 'error',
      comment: 'A static import would load every driver with the probe.',
      from: { path: '^core/host/probe/store/drivers\\.ts$' },
      to: { path: '^addons/', dynamic: false },
    },
    {
      name: 'add-ons-do-not-know-each-other',
      severity: 'error',
      comment: 'Each can be taken away with its folder and its row in the table.',
      from: { path: '^addons/([^/]+/[^/]+)/' },
      to: { path: '^addons/', pathNot: '^addons/$1/' },
    },
    {
      name: 'add-ons-see-the-port-of-stores',
      severity: 'error',
      comment:
        'The port, what stores share, the text of a chunk that is indexed, and the permit: no more.',
      from: { path: '^addons/vector-stores/', pathNot: test },
      to: {
        path: '^(core|electron|renderer|fixtures|e2e|bench|scripts)/',
        pathNot: [
          '^core/engine/(probe/(ports|chunk)|result)\\.ts$',
          '^core/host/probe/(ports|store/(candidates|checks|existing|lexical|problems))\\.ts$',
          '^core/host/platform/trust/gate\\.ts$',
        ],
      },
    },
    {
      name: 'no-test-code-in-production',
      severity: 'error',
      comment: 'Fixtures and tests are not shipped.',
      from: { path: '^(addons|core|electron|renderer)', pathNot: test },
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
