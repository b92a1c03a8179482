import { plainXml } from '../../platform/terminal.ts'

/** A case of a report: it passed, failed, or could not be tried. */
export interface JUnitCase {
  readonly suite: string
  /** The suite is the path of a file. */
  readonly isFile?: boolean
  readonly name: string
  readonly failure?: string | null
  /** Why it could not be tried: an error is not a failure. */
  readonly error?: string
}

/** [T48] A report as JUnit XML, one suite for each file. */
export function junitText(name: string, cases: readonly JUnitCase[]): string {
  const suites = new Map<string, JUnitCase[]>()
  for (const each of cases) suites.set(each.suite, [...(suites.get(each.suite) ?? []), each])
  const body = [...suites].map(([suite, own]) =>
    [
      `  <testsuite name="${escape(suite)}" ${counts(own)}>`,
      ...own.map(caseText),
      '  </testsuite>',
    ].join('\n'),
  )
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${escape(name)}" ${counts(cases)}>`,
    ...body,
    '</testsuites>',
    '',
  ].join('\n')
}

function counts(cases: readonly JUnitCase[]): string {
  const failures = cases.filter(({ failure = null }) => failure !== null).length
  const errors = cases.filter(({ error }) => error !== undefined).length
  return `tests="${cases.length}" failures="${failures}" errors="${errors}"`
}

function caseText({ suite, name, failure = null, error }: JUnitCase): string {
  const open = `    <testcase classname="${escape(suite)}" name="${escape(name)}"`
  if (error !== undefined)
    return `${open}>\n      <error message="${escape(error)}"/>\n    </testcase>`
  if (failure !== null) {
    return `${open}>\n      <failure message="${escape(failure)}"/>\n    </testcase>`
  }
  return `${open}/>`
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ['\n', '&#10;'],
  ['\t', '&#9;'],
  ['\r', '&#13;'],
])

/** Characters that XML 1.0 cannot express: control characters and lone surrogates. */
const UNSAYABLE =
  // oxlint-disable-next-line no-control-regex -- exactly those that XML does not allow
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g

/** Text in an attribute. */
function escape(text: string): string {
  const escaped = text
    .replace(UNSAYABLE, '\uFFFD')
    .replace(/[&<>"\n\t\r]/g, (character) => ENTITIES.get(character) ?? character)
  return plainXml(escaped)
}
