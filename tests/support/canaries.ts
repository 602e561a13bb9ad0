import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'

/** Secrets that staff enter in a global. One line for each: the canary test enters it and looks for it everywhere. */
export const SETTING_SECRETS: readonly {
  name: string
  global: 'settings' | 'invoicing'
  body: (secret: string) => object
}[] = [
  {
    name: 'SMTP password',
    global: 'settings',
    body: (password) => ({ smtp: { host: '127.0.0.1', username: 'sender', password } }),
  },
  {
    name: 'Discord client secret',
    global: 'settings',
    body: (clientSecret) => ({ discord: { clientId: '1', clientSecret } }),
  },
  // Not enabled: the journey sends no document to the provider.
  { name: 'Agent key', global: 'invoicing', body: (agentKey) => ({ szamlazz: { enabled: false, agentKey } }) },
]

/** A unique text. */
export const drawCanary = (name: string): string => `canary-${name}-${randomBytes(12).toString('hex')}`

/** `givenBy` are the calls, as `METHOD /path`, whose response issues the secret. */
export type Canary = { readonly name: string; readonly value: string; readonly givenBy: readonly string[] }

/** A stored or printed text, and its place. */
export type Written = { readonly where: string; readonly text: string }

/** A response with its request: a page that nobody else receives may contain its own query. */
type Answered = Written & { readonly status: number; readonly ownQuery: string | null }

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** A short code counts only when no letter or digit is beside it. */
const alone = (digits: string): string => `(?<![\\w.+/=-])${digits}(?![\\w+/=-])`

/** The forms of a secret in a text: unchanged, and as PostgreSQL and programs write bytes. */
const formsOf = (value: string): RegExp => {
  if (/^\d{6}$/.test(value)) return new RegExp(alone(value))
  const bytes = Buffer.from(value)
  const forms = [value, value.replaceAll('-', ''), bytes.toString('hex'), bytes.toString('base64').replaceAll('=', '')]
  return new RegExp([...new Set(forms)].map(escaped).join('|'))
}

/** The text around a secret, without it: enough to find its origin. */
const around = (text: string, form: RegExp): string => {
  const at = text.search(form)
  return text
    .slice(Math.max(0, at - 60), at + 120)
    .replace(form, '***')
    .replaceAll(/\s+/g, ' ')
}

/** The secrets of one run, and every response received meanwhile. */
export class Canaries {
  readonly #all: Canary[] = []
  readonly #answers: Answered[] = []
  /** Six digits easily match a price or a size: numbers seen before the code was drawn prove nothing. */
  readonly #numbersBefore = new Set<string>()

  get names(): string[] {
    return this.#all.map(({ name }) => name)
  }

  /** Adds a secret and returns its value. A text shorter than a code is ignored. */
  note(name: string, value: string | undefined, ...givenBy: string[]): string {
    if (value === undefined || value.length < 6) throw new Error(`There is no ${name}.`)
    this.#all.push({ name, value, givenBy })
    return value
  }

  get #told(): readonly Canary[] {
    return this.#all.filter(({ value }) => !this.#numbersBefore.has(value))
  }

  /** Records texts written before a secret existed: a numeric code that appears in them is not searched for. */
  cannotTell(written: readonly Written[]): void {
    for (const { text } of written)
      for (const [number] of text.matchAll(new RegExp(alone('\\d{6}'), 'g'))) this.#numbersBefore.add(number)
  }

  heard(call: string, answer: { text: string; status: number; ownQuery: string | null }): void {
    this.#answers.push({ where: call, ...answer })
  }

  /** The secrets found in the written texts, as `name in place`. */
  hitsIn(written: readonly Written[], isMeant: (name: string) => boolean = () => true): string[] {
    const meant = this.#told.filter(({ name }) => isMeant(name))
    const hits = meant.flatMap(({ name, value }) => {
      const form = formsOf(value)
      return written.filter(({ text }) => form.test(text)).map(({ where }) => `${name} in ${where}`)
    })
    return [...new Set(hits)]
  }

  /** The secrets found in a response that does not issue them. */
  hitsInAnswers(): string[] {
    const hits = this.#told.flatMap(({ name, value, givenBy }) => {
      const form = formsOf(value)
      return this.#answers
        .filter(({ where, ownQuery }) => !givenBy.includes(where) && !(ownQuery !== null && form.test(ownQuery)))
        .filter(({ text }) => form.test(text))
        .map(({ where, status, text }) => `${name} in the answer of ${where}: ${status} ${around(text, form)}`)
    })
    return [...new Set(hits)]
  }

  /** Issued secrets that were never seen: a test with the wrong value finds nothing. */
  neverGiven(): string[] {
    return this.#all
      .filter(({ givenBy }) => givenBy.length > 0)
      .filter(({ value, givenBy }) => {
        const form = formsOf(value)
        return !this.#answers.some(({ where, text }) => givenBy.includes(where) && form.test(text))
      })
      .map(({ name }) => name)
  }
}

/** Every row of every table, as PostgreSQL writes it. */
export async function rowsOf(databaseUrl: string): Promise<Written[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const tables = await client.query<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
       where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
    )
    const written: Written[] = []
    for (const { name } of tables.rows) {
      const { rows } = await client.query<{ line: string }>(`select t::text as line from ${name} t`)
      written.push({ where: `table ${name}`, text: rows.map(({ line }) => line).join('\n') })
    }
    return written
  } finally {
    await client.end()
  }
}

/** Every file of a folder as text, without those that `leavesOut` names. */
export function filesOf(folder: string, leavesOut: (path: string) => boolean = () => false): Written[] {
  if (!existsSync(folder)) return []
  return namesIn(folder).flatMap((name) => {
    const path = join(folder, name)
    if (leavesOut(path)) return []
    const { isFile, isFolder } = kindOf(path)
    if (isFolder) return filesOf(path, leavesOut)
    return isFile ? textOf(path).map((text) => ({ where: path, text })) : []
  })
}

// Files are created and deleted while the programs run.
const unlessGone = (read: () => string[]): string[] => {
  try {
    return read()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
const namesIn = (folder: string): string[] => unlessGone(() => readdirSync(folder))
const textOf = (path: string): string[] => unlessGone(() => [readFileSync(path, 'latin1')])
const kindOf = (path: string): { isFile: boolean; isFolder: boolean } => {
  const found = statSync(path, { throwIfNoEntry: false })
  return { isFile: found?.isFile() ?? false, isFolder: found?.isDirectory() ?? false }
}

/** Records every command that reaches a Redis from any client: queues, events and caches cannot bypass it. */
export function listenToRedis(port: number): { written(): Written; close(): void } {
  let text = ''
  const socket = connect(port, '127.0.0.1', () => socket.write('MONITOR\r\n'))
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  return { written: () => ({ where: 'a command to Redis', text }), close: () => socket.destroy() }
}
