import { ASSIGNED } from './assigned.ts'
import { GITLEAKS_RULES } from './gitleaks.ts'
import { MORE_TOKENS } from './more-tokens.ts'
import type { Finder, Pattern, Rule } from './rule.ts'
import { entropy, isMixed, isPlaceholder } from './secret-like.ts'

function prefixed(
  name: string,
  anchors: readonly string[],
  shape: RegExp,
  accept?: Rule['accept'],
): Rule {
  const isSecret: Rule['accept'] = (match, text) =>
    !isFiller(match[0]) && (accept?.(match, text) ?? true)
  return { kind: 'key', name, anchors, before: 'word', shape, wraps: true, accept: isSecret }
}

/** [R6] Placeholders for a key in documentation: `glpat-....`, `AKIA…EXAMPLE`. */
function isFiller(value: string): boolean {
  return isPlaceholder(value) || entropy(value) < 2.5
}

const mixed = (match: RegExpExecArray) => isMixed(match[0])

/** `-----BEGIN … PRIVATE KEY-----` to its end. An unclosed block ends at its last letter. */
const pemBlock: Finder = (text) => {
  let end = -1
  let noMore = false
  return (at) => {
    const head = text.slice(at, at + 80)
    const opener = /^-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/u.exec(head)
    if (opener === null) return null
    const from = at + opener[0].length
    if (!noMore && end < from) {
      end = text.indexOf('-----END ', from)
      noMore = end < 0
    }
    const next = text.indexOf('-----BEGIN ', from)
    if (!noMore && (next < 0 || next > end)) {
      const close = /^-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/u.exec(
        text.slice(end, end + 80),
      )
      if (close !== null) return [at, end + close[0].length]
    }
    return [at, from + bodyLength(text, from)]
  }
}

/** Base64 with line ends, written as such or as `\n`. */
function bodyLength(text: string, from: number): number {
  const body = /(?:[A-Za-z0-9+/=]|\s|\\[rn]){0,20000}/uy
  body.lastIndex = from
  return body.exec(text)?.[0].length ?? 0
}

/** Keys without letters that all of them have: three parts, joined by dots. */
export const KEY_PATTERNS: readonly Pattern[] = [
  {
    kind: 'key',
    name: 'Discord token',
    least: 58,
    accept: isMixed,
    shape: /(?<![\w.-])[MNO][A-Za-z0-9]{23,25}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}(?![\w-])/gu,
  },
]

/** [R1] Keys: keys issued by providers, private keys, and values assigned to a name of that kind. */
export const KEY_RULES: readonly Rule[] = [
  prefixed('sk- key', ['sk-'], /sk-[A-Za-z0-9_-]{17,500}/uy, mixed),
  prefixed('Langfuse key', ['pk-lf-'], /pk-lf-[A-Za-z0-9-]{16,100}/uy, mixed),
  prefixed(
    'Stripe key',
    ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_', 'whsec_'],
    /(?:[sr]k_(?:live|test)_|whsec_)[A-Za-z0-9+/=]{16,500}/uy,
  ),
  prefixed('AWS key id', ['AKIA', 'ASIA'], /(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])/uy),
  prefixed(
    'GitHub token',
    ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'],
    /(?:gh[pousr]_[A-Za-z0-9]{30,500}|github_pat_[A-Za-z0-9_]{22,500})/uy,
  ),
  prefixed(
    'Slack token',
    [...Array.from('abceoprscd', (kind) => `xox${kind}-`), 'xoxe.', 'xapp-'],
    /(?:xox[a-s][-.]|xapp-)[A-Za-z0-9.%-]{10,500}/uy,
    ({ 0: value }) => /\d/u.test(value),
  ),
  {
    kind: 'key',
    name: 'webhook',
    anchors: ['hooks.slack.com/', 'discord.com/api/webhooks/', '.webhook.office.com/webhookb2/'],
    before: 'any',
    shape:
      /(?:hooks\.slack\.com\/(?:services|workflows|triggers)\/|discord\.com\/api\/webhooks\/|\.webhook\.office\.com\/webhookb2\/)(?<v>[A-Za-z0-9/@_-]{20,400})/uy,
  },
  // A format that gitleaks finds behind a name only.
  {
    kind: 'key',
    name: 'Telegram token',
    before: 'word',
    wraps: true,
    anchors: [':AA'],
    back: 10,
    accept: mixed,
    shape: /[0-9]{10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])/uy,
  },
  prefixed('Google key', ['AIza'], /AIza[A-Za-z0-9_-]{35}/uy),
  prefixed('GitLab token', ['glpat-'], /glpat-[A-Za-z0-9_.-]{20,200}/uy),
  prefixed('npm token', ['npm_'], /npm_[A-Za-z0-9]{36}/uy),
  prefixed('Hugging Face token', ['hf_'], /hf_[A-Za-z0-9]{30,100}/uy, mixedCase),
  prefixed('PyPI token', ['pypi-AgE'], /pypi-AgE[A-Za-z0-9_-]{20,1000}/uy),
  prefixed('SendGrid key', ['SG.'], /SG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,64}/uy),
  prefixed('Groq key', ['gsk_'], /gsk_[A-Za-z0-9]{20,200}/uy, mixed),
  prefixed('xAI key', ['xai-'], /xai-[A-Za-z0-9]{40,200}/uy),
  prefixed('LangSmith key', ['lsv2_'], /lsv2_[a-z]{2}_[a-f0-9]{32}_[a-f0-9]{10}/uy),
  prefixed('Replicate token', ['r8_'], /r8_[A-Za-z0-9]{30,100}/uy, mixed),
  prefixed('Tavily key', ['tvly-'], /tvly-[A-Za-z0-9_-]{20,100}/uy, mixed),
  prefixed('DigitalOcean token', ['dop_v1_', 'doo_v1_', 'dor_v1_'], /do[opr]_v1_[a-f0-9]{64}/uy),
  prefixed(
    'Shopify token',
    ['shpat_', 'shpca_', 'shppa_', 'shpss_'],
    /shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}/uy,
  ),
  prefixed('age key', ['AGE-SECRET-KEY-1'], /AGE-SECRET-KEY-1[0-9A-Z]{50,60}/uy),
  { kind: 'key', name: 'private key', anchors: ['-----BEGIN '], before: 'any', find: pemBlock },
  ...MORE_TOKENS.map(([name, begins, follows]) => {
    const escaped = begins.replaceAll(/[.$/]/gu, String.raw`\$&`)
    return prefixed(name, [begins], new RegExp(`${escaped}${follows}(?![A-Za-z0-9])`, 'uy'))
  }),
  ASSIGNED,
  ...GITLEAKS_RULES,
]

function mixedCase(match: RegExpExecArray): boolean {
  return /[a-z]/u.test(match[0].slice(3)) && /[A-Z]/u.test(match[0])
}
