// Prints the findings of a SARIF file as workflow commands, which the runner shows beside the lines of a pull request.
'use strict'
const { readFileSync, realpathSync } = require('node:fs')
const { isAbsolute, relative, resolve } = require('node:path')
const { fileURLToPath } = require('node:url')

const KINDS = { error: 'error', warning: 'warning', note: 'notice' }
/** As many as a step may show; more are counted. */
const MOST = 10

/** A text must not end the command, nor begin another one. */
const inData = (text) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
const inProperty = (text) => inData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

/** The path as the repository has it; null for a file that is not in it, such as domains that ship. */
function pathOf(uri, repository) {
  if (repository === '') return null
  const path = uri.startsWith('file:') ? fileURLToPath(uri) : resolve(decodeURIComponent(uri))
  const within = relative(realpathSync(repository), path).replaceAll('\\', '/')
  return within.startsWith('..') || isAbsolute(within) ? null : within
}

function commandOf({ level = 'warning', ruleId = 'turnscope', message, locations = [] }) {
  const place = locations[0]?.physicalLocation
  const properties = [`title=${inProperty(ruleId)}`]
  const uri = place?.artifactLocation?.uri
  const path = uri === undefined ? null : pathOf(uri, process.env.GITHUB_WORKSPACE ?? '')
  if (path !== null) {
    properties.unshift(`file=${inProperty(path)}`)
    if (place.region?.startLine !== undefined) properties.push(`line=${place.region.startLine}`)
  }
  return `::${KINDS[level] ?? 'warning'} ${properties.join(',')}::${inData(message.text)}`
}

const { runs } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const results = runs.flatMap((run) => run.results ?? [])
for (const result of results.slice(0, MOST)) console.log(commandOf(result))
if (results.length > MOST)
  console.log(
    `::notice title=turnscope::${results.length - MOST} more findings are in the SARIF file`,
  )
