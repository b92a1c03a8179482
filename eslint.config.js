import js from '@eslint/js'
import reactHooks from 'eslint-plugin-react-hooks'
import unicorn from 'eslint-plugin-unicorn'
import tseslint from 'typescript-eslint'

const clock = 'The engine is replayable: take the time as an argument.'
const chance = 'The engine is replayable: take ids and seeds as arguments.'
const shape = [
  { selector: 'ExportDefaultDeclaration', message: 'Use named exports.' },
  { selector: 'ExportAllDeclaration', message: 'Name what you re-export.' },
  { selector: 'TSEnumDeclaration', message: 'Use a union of string literals or z.enum.' },
]
const kit = Object.entries({
  button: 'Button, IconButton, Switch or Pressable of renderer/ui/button.tsx',
  select: 'Select of renderer/ui/form.tsx',
  textarea: 'TextArea or BareArea of renderer/ui/form.tsx',
  table: 'DataTable of renderer/ui/data-table.tsx, or Table for many rows',
}).map(([tag, parts]) => ({
  selector: `JSXOpeningElement[name.name='${tag}']`,
  message: `The UI kit has it: use ${parts}.`,
}))

export default tseslint.config(
  {
    ignores: [
      'dist',
      'out',
      '**/node_modules',
      '**/.new-*',
      '*.config.js',
      '.dependency-cruiser.cjs',
      'bin',
      'fixtures/collections',
      '**/*.mjs',
      '**/*.cjs',
    ],
  },
  js.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  ...tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    plugins: { unicorn },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      eqeqeq: 'error',
      'unicorn/filename-case': ['error', { case: 'kebabCase' }],
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
      'max-params': ['error', 4],
      complexity: ['error', 14],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      'no-duplicate-imports': 'error',
      '@typescript-eslint/array-type': ['error', { default: 'array-simple' }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      // A bundle keeps what is imported for its types alone, and loads it, if each name says so for itself.
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/consistent-type-definitions': 'off',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      'no-restricted-syntax': ['error', ...shape],
    },
  },
  {
    files: ['core/engine/**/*.ts'],
    ignores: ['**/*.test.ts'],
    rules: {
      'no-console': 'error',
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: clock },
        { object: 'performance', property: 'now', message: clock },
        { object: 'Math', property: 'random', message: chance },
      ],
      'no-restricted-syntax': [
        'error',
        ...shape,
        { selector: 'ClassDeclaration', message: 'The engine is functions over data.' },
        { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: clock },
      ],
    },
  },
  { files: ['renderer/**/*.{ts,tsx}'], ...reactHooks.configs.flat.recommended },
  {
    files: ['renderer/**/*.tsx'],
    rules: {
      'max-lines-per-function': ['error', { max: 150, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ['renderer/**/*.tsx'],
    ignores: ['renderer/ui/**'],
    rules: { 'no-restricted-syntax': ['error', ...shape, ...kit] },
  },
  {
    files: ['**/*.test.{ts,tsx}', 'fixtures/**/*.ts', 'e2e/**/*.ts', 'bench/**/*.ts'],
    rules: {
      'max-lines-per-function': 'off',
      'max-lines': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  { files: ['*.config.ts'], rules: { 'no-restricted-syntax': 'off' } },
)
