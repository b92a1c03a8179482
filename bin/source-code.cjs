// The code of a source file without comments and with each run of white space shortened: the text that decides a
// build. CommonJS, because bin/launch.cjs runs on older versions of Node and before anything is compiled.
'use strict'
const { createHash } = require('node:crypto')

/** Comments that a bundler obeys or keeps in its output. */
const OBEYED = /[@#]__\w+__|@vite-ignore|@license|@preserve|^\/[/*]!/u

// Sticky: each matches at one position or not at all.
const SPACE = /\s+/y
const COMMENT = /\/\/[^\n\r\u2028\u2029]*|\/\*[^]*?\*\//y
const STRING = /'(?:[^'\\\n]|\\[^])*'|"(?:[^"\\\n]|\\[^])*"/y
/** Words and operators, with single spaces between them. */
const PLAIN = /(?:[^\s'"`/{}()]+(?: (?=[^\s/]))?)+/y
const REGEX = /\/(?:[^/\\[\n]|\\[^\n]|\[(?:[^\]\\\n]|\\[^\n])*\])+\/\w*/y
const TEMPLATE_TEXT = /(?:[^`\\$]|\\[^]|\$(?!\{))*/y

/** A slash divides if this precedes it. Otherwise it begins a regular expression. */
const VALUE = /(?:[\w$\]}'"`\u0080-\uffff]!?|\+\+|--|\.)$/u
/** These words look like values, but an expression follows them. */
const BEFORE_EXPRESSION =
  /(?:^|[^\w$.])(?:await|case|delete|do|else|in|instanceof|new|of|return|throw|typeof|void|yield)$/u
/** A statement, not an operator, follows the parentheses of these words. */
const BEFORE_STATEMENT = /(?:^|[^\w$.])(?:for|if|while|with) ?$/u

exports.codeOf = codeOf
exports.hashSource = hashSource

/** Hashes the part of a file that a build uses: its code if it is a module, else its bytes. */
function hashSource(path, bytes) {
  const isModule = /\.[cm]?[jt]s$/.test(path)
  const content = isModule ? codeOf(bytes.toString('utf8')) : bytes
  return createHash('sha256').update(content).digest('hex')
}

function codeOf(text) {
  const code = []
  let at = 0
  let gap = ''
  let last = ''
  /** For each open parenthesis: a statement follows it. */
  const parentheses = []
  /** For each open brace: it belongs to a template. */
  const braces = []
  let endsHead = false

  const match = (pattern) => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found === null) return ''
    at = pattern.lastIndex
    return found[0]
  }
  const emit = (token) => {
    if (gap !== '' && last !== '') code.push(gap)
    gap = ''
    last = token
    code.push(token)
    return token
  }
  const widen = (space) => {
    if (gap !== '\n') gap = /[\n\r\u2028\u2029]/.test(space) ? '\n' : ' '
  }
  const isDivision = () =>
    last.endsWith(')') ? !endsHead : VALUE.test(last) && !BEFORE_EXPRESSION.test(last)
  /** Reads on behind a backtick, or behind the brace that ends a substitution. */
  const readTemplate = () => {
    code.push(match(TEMPLATE_TEXT))
    if (at >= text.length) return
    const isEnd = text[at] === '`'
    if (!isEnd) braces.push(true)
    last = isEnd ? '`' : '${'
    code.push(last)
    at += last.length
  }

  while (at < text.length) {
    const plain = match(PLAIN)
    if (plain !== '') {
      emit(plain)
      continue
    }
    const space = match(SPACE)
    if (space !== '') {
      widen(space)
      continue
    }
    const char = text[at]
    if (char === '/') {
      const comment = match(COMMENT)
      if (comment === '') emit((!isDivision() && match(REGEX)) || text[at++])
      else if (OBEYED.test(comment)) emit(comment)
      else widen(comment)
      continue
    }
    if (char === "'" || char === '"') {
      const string = match(STRING)
      if (string !== '') {
        emit(string)
        continue
      }
    }
    at += 1
    if (char === '(') parentheses.push(BEFORE_STATEMENT.test(last))
    if (char === ')') endsHead = parentheses.pop() === true
    if (char === '{') braces.push(false)
    emit(char)
    if (char === '`' || (char === '}' && braces.pop() === true)) readTemplate()
  }
  return code.join('')
}
