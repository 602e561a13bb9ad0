import * as z from 'zod'
import { AgentError } from '../../platform/agent-error.ts'
import type { ProtectedFile } from '../../platform/protected-file.ts'

/** The engine's format of a registry login. */
export type RegistryLogin = { readonly serveraddress: string } & (
  | { readonly username: string; readonly password: string }
  | { readonly identitytoken: string }
  | { readonly registrytoken: string }
)

export type LoginAnswer =
  | { readonly ok: true; readonly login: RegistryLogin | undefined }
  /** The file is unusable. The sentence names it without quoting its content. */
  | { readonly ok: false; readonly message: string }

export interface LoginsDeps {
  readonly read: (file: string) => ProtectedFile
  /** The agent's own user, which must own the file, unless root does. */
  readonly uid: number
}

const DOCKER_HUB = 'docker.io'
/** The one registry that Docker's own files identify by a URL. */
const DOCKER_HUB_ADDRESS = 'https://index.docker.io/v1/'
const DOCKER_HUB_NAMES = new Set([DOCKER_HUB, 'index.docker.io', 'registry-1.docker.io'])
const HOST = /^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:]+\])(?::\d{1,5})?$/
const OTHERS_MAY = 0o077

const Entry = z.object({
  auth: z.string().optional(),
  username: z.string().optional(),
  password: z.string().optional(),
  identitytoken: z.string().optional(),
  registrytoken: z.string().optional(),
})
type Entry = z.infer<typeof Entry>
const LoginsFile = z.object({
  auths: z.record(z.string(), Entry).optional(),
  credsStore: z.string().optional(),
  credHelpers: z.record(z.string(), z.string()).optional(),
})

/** The canonical name of a registry, including its port. */
const canonical = (registry: string): string => {
  const name = registry.toLowerCase()
  return DOCKER_HUB_NAMES.has(name) ? DOCKER_HUB : name
}

/** Docker writes a host, or for old registries a URL with `https://` and the API version. */
const registryOfKey = (key: string): string | undefined => {
  const host = key
    .toLowerCase()
    .replace(/^https:\/\//, '')
    .replace(/\/(v[12]\/?)?$/, '')
  return HOST.test(host) ? canonical(host) : undefined
}

const loginOf = (registry: string, entry: Entry): RegistryLogin | undefined => {
  const serveraddress = registry === DOCKER_HUB ? DOCKER_HUB_ADDRESS : registry
  if (entry.identitytoken) return { serveraddress, identitytoken: entry.identitytoken }
  if (entry.registrytoken) return { serveraddress, registrytoken: entry.registrytoken }
  const decoded = Buffer.from(entry.auth ?? '', 'base64').toString('utf8')
  const colon = decoded.indexOf(':')
  const username = entry.username ?? decoded.slice(0, Math.max(0, colon))
  const password = entry.password ?? (colon < 0 ? '' : decoded.slice(colon + 1))
  return username === '' || password === '' ? undefined : { serveraddress, username, password }
}

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    // A parser's error quotes the text.
    return undefined
  }
}

/**
 * The node's registry logins, from a file in the format of Docker's own `config.json`. It is read for every pull, so
 * that a renewed login applies at once. A login is valid only for the registry of its key.
 */
export class RegistryLogins {
  readonly #file: string
  readonly #deps: LoginsDeps

  constructor(file: string, deps: LoginsDeps) {
    this.#file = file
    this.#deps = deps
  }

  /** Throws an AgentError with one sentence when the file is unusable, so that a node reports it at its start. */
  assertUsable(): void {
    const read = this.#read()
    if (!read.ok) throw new AgentError('RUNTIME_REFUSED', read.message)
  }

  /** The login for the registry of an image; undefined if the file has none. */
  of(registry: string): LoginAnswer {
    const read = this.#read()
    return read.ok ? { ok: true, login: read.logins.get(canonical(registry)) } : read
  }

  #read(): { readonly ok: true; readonly logins: Map<string, RegistryLogin> } | Extract<LoginAnswer, { ok: false }> {
    const no = (what: string) =>
      ({ ok: false, message: `The file of AGENT_REGISTRY_AUTH (${this.#file}) ${what}` }) as const
    let found: ProtectedFile
    try {
      found = this.#deps.read(this.#file)
    } catch (error) {
      return no(`cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown'}.`)
    }
    if (!found.isFile) return no('is no file.')
    if ((found.mode & OTHERS_MAY) !== 0) return no('can be read by others than its owner: set its mode to 600.')
    if (found.uid !== 0 && found.uid !== this.#deps.uid) return no("is neither root's nor the agent's own.")
    const parsed = LoginsFile.safeParse(readJson(found.text))
    if (!parsed.success) return no("is not in the form of Docker's config.json.")
    const { auths = {}, credsStore = '', credHelpers = {} } = parsed.data
    if (credsStore !== '' || Object.keys(credHelpers).length > 0) {
      return no(
        'names a credential helper (credsStore, credHelpers): this node runs none, so write the logins into auths.',
      )
    }
    const logins = new Map<string, RegistryLogin>()
    for (const [index, [key, entry]] of Object.entries(auths).entries()) {
      const registry = registryOfKey(key)
      // A key that is not a host may be a misplaced login, so it is counted and not quoted.
      if (registry === undefined) return no(`names no registry in entry ${index + 1} of auths.`)
      if (logins.has(registry)) return no(`names the registry ${registry} twice.`)
      const login = loginOf(registry, entry)
      if (login === undefined) return no(`holds no login for ${registry}: neither auth nor a token.`)
      logins.set(registry, login)
    }
    return { ok: true, logins }
  }
}

const secretsOf = (login: RegistryLogin): string[] => {
  if ('identitytoken' in login) return [login.identitytoken]
  if ('registrytoken' in login) return [login.registrytoken]
  const { username, password } = login
  return [Buffer.from(`${username}:${password}`).toString('base64'), password]
}

/** The text without the login's secret, in any encoding in which a registry may return it. */
const without = (text: string, login: RegistryLogin): string =>
  secretsOf(login)
    .flatMap((secret) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
    .reduce((rest, form) => rest.replaceAll(form, '[redacted]'), text)
    // Customers read this too, and the account's name does not help them.
    .replace(/([?&]account=)[^&"\s]*/g, '$1[redacted]')

const WANTS_LOGIN = /unauthorized|authentication required|no basic auth|docker login|HTTP 401\b|status:? 401\b/i
const NOT_ALLOWED = /denied|forbidden|insufficient_scope|HTTP 403\b|status:? 403\b/i
const TOKEN_SERVICE = /\/token\?|oauth|fetch.*token/i

/**
 * The engine's error of a pull, as one sentence that names the responsible side and contains no secret. `login` is the
 * one sent to the registry.
 */
export const explainPull = (message: string, registry: string, login: RegistryLogin | undefined): string => {
  // The engine's own token for the registry is unknown here, so it is masked by its format.
  const masked = message.replace(/\b(Basic|Bearer)\s+(?=\S*[\d.+/=_-])[\w.~+/=-]{6,}/gi, '$1 [redacted]')
  const told = login === undefined ? masked : without(masked, login)
  if (WANTS_LOGIN.test(message) && login === undefined) {
    return `The registry ${registry} wants a login, and this node has none for it: ${told}`
  }
  if (WANTS_LOGIN.test(message) || NOT_ALLOWED.test(message)) {
    return `The registry ${registry} refused this node's login, or that may not have the image: ${told}`
  }
  if (TOKEN_SERVICE.test(message)) return `The registry ${registry} could not check this node's login: ${told}`
  return told
}
