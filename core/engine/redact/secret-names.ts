/** A stem of password names: its pattern, and whether it counts only as a separate word. */
interface Stem {
  /** Source of a pattern for any case. */
  readonly shape: string
  /** Beginnings that the scan looks for, in small letters; without ASCII letters, as written. */
  readonly anchors: readonly string[]
  /** Short or ambiguous: counts as a whole part of a name only. */
  readonly isWord?: boolean
}

/** [R16] Names of passwords: English first, then languages in the order of their codes. */
const STEMS: readonly Stem[] = [
  { shape: 'passw(?:or)?d', anchors: ['passw'] },
  { shape: 'passphrase', anchors: ['passphrase'] },
  { shape: 'passcode', anchors: ['passcode'] },
  { shape: 'pswd|pwd', anchors: ['pswd', 'pwd'] },
  { shape: 'storepass|keypass', anchors: ['storepass', 'keypass'] },
  { shape: 'userpass|dbpass', anchors: ['userpass', 'dbpass'] },
  { shape: 'pass|pw', anchors: ['pass', 'pw'], isWord: true },
  { shape: 'كلمة[ _](?:المرور|السر)', anchors: ['كلمة'] },
  { shape: 'парол[ьая]', anchors: ['парол', 'Парол', 'ПАРОЛ'] },
  { shape: 'heslo', anchors: ['heslo'], isWord: true },
  { shape: 'adgangskode|kodeord|passord', anchors: ['adgangskode', 'kodeord', 'passord'] },
  { shape: 'passwort|kennwort', anchors: ['passwort', 'kennwort'] },
  { shape: 'κωδικ[όο]ς', anchors: ['κωδικ', 'Κωδικ'] },
  { shape: 'contrase(?:ñ|n\u0303|n)a', anchors: ['contrase'] },
  { shape: 'clave', anchors: ['clave'], isWord: true },
  { shape: 'salasana', anchors: ['salasana'] },
  { shape: 'mots?[ _-]?de[ _-]?passe|mdp', anchors: ['mot', 'mdp'], isWord: true },
  { shape: 'סיסמ[הא]', anchors: ['סיסמ'] },
  { shape: 'पासवर्ड', anchors: ['पासवर्ड'] },
  { shape: 'lozinka|zaporka', anchors: ['lozinka', 'zaporka'] },
  { shape: 'jelsz[óo]', anchors: ['jelsz'] },
  { shape: 'kata[ _-]?sandi', anchors: ['kata'], isWord: true },
  { shape: "parola(?:[ _-]d['’_]?ordine)?|parol[ăa]", anchors: ['parol'], isWord: true },
  { shape: 'パスワード|暗証番号', anchors: ['パスワード', '暗証番号'] },
  { shape: '비밀[ ]?번호|암호|패스워드', anchors: ['비밀', '암호', '패스워드'] },
  { shape: 'wachtwoord', anchors: ['wachtwoord'] },
  { shape: 'has[łl]o', anchors: ['hasł', 'haslo', 'HASŁ'], isWord: true },
  { shape: 'senha|palavra[ _-]passe', anchors: ['senha', 'palavra'], isWord: true },
  { shape: 'l[öo]sen(?:ord)?', anchors: ['lös', 'Lös', 'LÖS', 'losen'], isWord: true },
  { shape: 'รหัสผ่าน', anchors: ['รหัส'] },
  { shape: '[şŞs]ifre', anchors: ['şifre', 'Şifre', 'ŞİFRE', 'sifre'], isWord: true },
  { shape: 'm[ậa]t[ _-]?kh[ẩa]u', anchors: ['mật', 'Mật', 'matkhau', 'mat_khau'], isWord: true },
  { shape: 'رمز[ _]عبور', anchors: ['رمز'] },
  { shape: '密[码碼]|口令|密語', anchors: ['密码', '密碼', '口令', '密語'] },
]

export const PASSWORD_ANCHORS = STEMS.flatMap(({ anchors }) => anchors)

const shapes = (isWord: boolean) =>
  STEMS.filter((stem) => (stem.isWord ?? false) === isWord)
    .map(({ shape }) => shape)
    .join('|')
/** The name of a password at a place; group `word` counts as a whole part of a name only. */
export const PASSWORD_STEM = new RegExp(`(?:${shapes(false)})|(?<word>${shapes(true)})`, 'iuy')

/** [R16] Names of keys and tokens; their values must look random. */
export const SECRET_STEM =
  /api[_-]?key|secret(?:[_-]?(?:access[_-]?)?key)?|(?:shared[_-]?access|subscription|functions|license|access|private|auth|account|encryption|signing|master|storage|service|deploy)[_-]?key|_key|(?:auth[_-]?)?token|credentials?|_auth\b|auth\b/iuy
export const SECRET_ANCHORS: readonly string[] = [
  'api_key',
  'api-key',
  'apikey',
  'secret',
  'token',
  'credential',
  '_key',
  'auth',
  'access_key',
  'access-key',
  'accesskey',
  'private_key',
  'privatekey',
  'account_key',
  'accountkey',
  'signing_key',
  'encryption_key',
  'encryptionkey',
  'subscription-key',
  'functions-key',
  'license_key',
  'licensekey',
  'master_key',
  'masterkey',
  'storage_key',
  'storagekey',
  'deploy_key',
  'service_key',
]

/** Suffixes allowed after a stem in a name: `password2`, `SECRET_KEY_BASE`, `TOKEN_PROD`. */
export const NAME_REST =
  /(?:\d{1,3}|[_-](?!(?:name|id|ids|type|types|count|counts|limit|path|file|url|uri|ref|arn|version|ttl|hash|hashed|header|prefix|field|at|min|max|length|set|reset|policy|expir[a-z]{0,8}|hint|input|label|strength|required|len)(?![a-z]))[a-z0-9]{1,16}){0,3}/iuy

/** Names that speak about a password or key and hold none. */
export const NO_SECRET_NAME =
  /(?:^|[_.-])(?:has|is|no|requires?|needs?|forgot|reset|show|hide|toggle|invalid|bad|wrong|public|primary|foreign|cache|sort|partition|hash|hashed|group|row|old|next|max|min|num|total|input|output|prompt|completion)[_-]?$/iu
