/** The dependency rule of ARCHITECTURE.md as data. Every rule says why it is there. */
const test = '\\.test\\.tsx?$'
/** The probe and the results of batches run in threads of their own; their folders main, session and lab do not. */
const OWN_THREAD = '^core/host/(probe|results)/(?!(main|session|lab)/)'

/** Files of the window's shell: they show features and run them, and no feature knows them. */
const SHELL =
  '^renderer/(main|app/(app|banners|boot|connection|dock-feature|dock-view|drop-target|features|go-to|header|help|history|inspector|lanes-menu|layout-picker|palette|run-pickers|shell|shell-feature|skip-links|stages|status-bar|tabs-menu|timeline-panel|url|workbench))\\.tsx?$'
/** What of the timeline a lane is made of. The rest draws the timeline itself. */
const LANE =
  '^renderer/timeline/(data|lane|layout|paint|placed|scene|shapes|tooltip|use-canvas|viewport|words)\\.tsx?$'

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
          '^core/(wire/|engine/schema/|engine/skills/edit-words\\.ts$|engine/terminal-codes\\.ts$|engine/lab/(metrics/(label|basis-words|interval)|why/why-wrong|queue/(words|precision)|readers/readings|propose/words|weights/words)\\.ts$)',
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
      to: { path: '^renderer/(app|stores|views|features)/' },
    },
    {
      name: 'ui-knows-no-feature',
      severity: 'error',
      comment: 'Parts of the kit are the same for every feature.',
      from: { path: '^renderer/ui/', pathNot: test },
      to: { path: '^renderer/(timeline|stores|views|features)/' },
    },
    {
      name: 'app-knows-features-by-their-rows',
      severity: 'error',
      comment: 'A feature is removed with its folder and its row in app/features.ts.',
      from: { path: '^renderer/(app/|main)', pathNot: [test, '^renderer/app/features\\.ts$'] },
      to: { path: '^renderer/(stores|views|features)/' },
    },
    {
      name: 'stores-are-below-views',
      severity: 'error',
      comment: 'State is the same whatever shows it.',
      from: { path: '^renderer/stores/', pathNot: test },
      to: { path: '^renderer/(views|features)/' },
    },
    {
      name: 'views-are-below-features',
      severity: 'error',
      comment: 'What several features show knows none of them.',
      from: { path: '^renderer/views/', pathNot: test },
      to: { path: '^renderer/features/' },
    },
    {
      name: 'features-do-not-know-each-other',
      severity: 'error',
      comment:
        'They meet in stores and views, and by commands, slots, hooks and actions of their rows.',
      from: { path: '^renderer/features/([^/]+)/', pathNot: test },
      to: { path: '^renderer/features/', pathNot: '^renderer/features/$1/' },
    },
    {
      name: 'features-know-no-shell',
      severity: 'error',
      comment: 'The shell shows and runs features by their rows; the other way would be a cycle.',
      from: { path: '^renderer/(stores|views|features)/', pathNot: test },
      to: { path: SHELL },
    },
    {
      name: 'features-know-lanes-of-the-timeline',
      severity: 'error',
      comment: 'A lane is drawn with the parts of lanes; how the timeline works inside may change.',
      from: { path: '^renderer/(stores|views|features)/', pathNot: test },
      to: { path: '^renderer/timeline/', pathNot: LANE },
    },
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
