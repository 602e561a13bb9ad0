// Checks an external database and Redis before anything is built on them: each fault is one sentence that names the
// variable and never its password.
import { connect } from 'node:net'

import { Refusal } from './preflight.mjs'

const ANSWER_WITHIN_MS = 5_000
const OLDEST_POSTGRES = 15
/** The oldest version that BullMQ supports. */
const OLDEST_REDIS = '6.2'
const PORTS = { DATABASE_URL: 5_432, REDIS_URL: 6_379 }

const UNREACHABLE = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no machine of this name',
  EAI_AGAIN: 'its name is not known now',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no way to it',
  ETIMEDOUT: 'it does not answer',
  ECONNRESET: 'it closed the connection',
  ENOENT: 'there is no such socket',
}

const unreachable = (variable, place, code) =>
  new Refusal(`${variable} names ${place}, which cannot be used: ${UNREACHABLE[code] ?? code}.`)

/** Error code of a failed connection, or undefined if it works. */
const connectFault = (port, host) =>
  new Promise((done) => {
    const socket = connect({ port, host, timeout: ANSWER_WITHIN_MS })
    const end = (fault) => {
      socket.destroy()
      done(fault)
    }
    socket.once('connect', () => end(undefined))
    socket.once('timeout', () => end('ETIMEDOUT'))
    socket.once('error', (error) => end(error.code))
  })

/** Refuses addresses at which nothing listens. Needs no packages; a unix socket is checked later. */
export async function reachStores({ databaseUrl, redisUrl }) {
  for (const [variable, url] of Object.entries({ DATABASE_URL: databaseUrl, REDIS_URL: redisUrl })) {
    if (url === undefined) continue
    const { hostname, port } = new URL(url)
    if (hostname === '' || hostname.startsWith('%2F')) continue
    const host = hostname.replace(/^\[|\]$/g, '')
    const at = Number(port) || PORTS[variable]
    const fault = await connectFault(at, host)
    if (fault !== undefined) throw unreachable(variable, `${hostname}:${at}`, fault)
  }
}

/** The reason of a refusal by PostgreSQL, by its error code. */
function databaseRefusal(error, { place, name }) {
  if (error.code in UNREACHABLE) return unreachable('DATABASE_URL', place, error.code)
  if (['28P01', '28000'].includes(error.code) || /client password must be/.test(error.message))
    return new Refusal(`PostgreSQL at ${place} refuses the user or the password of DATABASE_URL.`)
  if (error.code === '3D000')
    return new Refusal(`PostgreSQL at ${place} has no database "${name}", which DATABASE_URL names: make it first.`)
  return new Refusal(`DATABASE_URL names ${place}, which cannot be used: ${error.message}.`)
}

/** Why a responding database cannot be used, or undefined. */
export function databaseFault(row, { place, name }) {
  const major = Math.floor(row.version / 10_000)
  if (major < OLDEST_POSTGRES)
    return `PostgreSQL at ${place} is version ${major}; Bakter needs ${OLDEST_POSTGRES} or newer.`
  if (row.encoding !== 'UTF8') return `The database "${name}" is kept in ${row.encoding}; Bakter needs UTF8.`
  if (row.is_read_only)
    return `PostgreSQL at ${place} is a copy that nobody writes to; DATABASE_URL needs the original.`
  if (!row.may_create) return `The user of DATABASE_URL may not create schemas in "${name}": make it the owner.`
  return undefined
}

async function checkDatabase(url) {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: ANSWER_WITHIN_MS })
  client.on('error', () => {})
  const where = { place: `${client.host}:${client.port}`, name: client.database }
  try {
    await client.connect()
    const { rows } = await client.query(
      `SELECT current_setting('server_version_num')::int AS version, current_setting('server_encoding') AS encoding,
        pg_is_in_recovery() AS is_read_only, has_database_privilege(current_database(), 'CREATE') AS may_create,
        to_regclass('public.payload_migrations') IS NOT NULL AS is_used`,
    )
    const fault = databaseFault(rows[0], where)
    if (fault !== undefined) throw new Refusal(fault)
    return rows[0].is_used
  } catch (error) {
    throw error instanceof Refusal ? error : databaseRefusal(error, where)
  } finally {
    await client.end().catch(() => {})
  }
}

function redisRefusal(error, place) {
  if (error.code in UNREACHABLE) return unreachable('REDIS_URL', place, error.code)
  if (/^(WRONGPASS|NOAUTH|NOPERM|ERR AUTH|ERR invalid password)/.test(error.message))
    return new Refusal(`Redis at ${place} refuses the user or the password of REDIS_URL.`)
  return new Refusal(`REDIS_URL names ${place}, which cannot be used: ${error.message}.`)
}

function redisFault(info, place) {
  const value = (key) => new RegExp(`^${key}:(\\S+)`, 'm').exec(info)?.[1] ?? ''
  const version = value('redis_version')
  if (version.localeCompare(OLDEST_REDIS, 'en', { numeric: true }) < 0)
    return `Redis at ${place} is version ${version}; Bakter needs ${OLDEST_REDIS} or newer.`
  const policy = value('maxmemory_policy')
  if (policy !== 'noeviction')
    return `Redis at ${place} throws keys away when it is full (maxmemory-policy ${policy}): set it to noeviction.`
  return undefined
}

async function checkRedis(url) {
  const { Redis } = await import('ioredis')
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: ANSWER_WITHIN_MS,
    commandTimeout: ANSWER_WITHIN_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: null,
  })
  let first
  redis.on('error', (error) => (first ??= error))
  const { hostname, port } = new URL(url)
  const place = `${hostname}:${port || PORTS.REDIS_URL}`
  try {
    await redis.connect()
    const fault = redisFault(await redis.info(), place)
    if (fault !== undefined) throw new Refusal(fault)
  } catch (error) {
    throw error instanceof Refusal ? error : redisRefusal(first ?? error, place)
  } finally {
    redis.disconnect()
  }
}

/**
 * Refuses an external database or Redis that cannot be used. Resolves with whether the database already contains
 * Bakter's data.
 */
export async function checkStores({ databaseUrl, redisUrl }) {
  const isUsed = databaseUrl !== undefined && (await checkDatabase(databaseUrl))
  if (redisUrl !== undefined) await checkRedis(redisUrl)
  return { isUsed }
}

/** The database's identity in the data folder's state: its location, without user and password. */
function markOf(databaseUrl) {
  if (databaseUrl === undefined) return 'embedded'
  const { hostname, port, pathname } = new URL(databaseUrl)
  return `${hostname}:${port || PORTS.DATABASE_URL}${pathname}`
}

/**
 * Binds data folder and database to one another, or refuses: the folder has the keys of the database's sealed values,
 * the passwords of its accounts and the servers that it knows. `state` is the folder's recorded state; the result is
 * its new one.
 */
export function claimDatabase({ databaseUrl, isUsed, state }) {
  const database = markOf(databaseUrl)
  if (state.database === undefined && state.seeded !== true && isUsed)
    throw new Refusal(
      `The database that DATABASE_URL names belongs to another data folder: name an empty one, or set BAKTER_DATA to that folder.`,
    )
  if (state.database !== undefined && state.database !== database)
    throw new Refusal(
      `This data folder belongs to another database (${state.database}): set DATABASE_URL as before, or BAKTER_DATA to another folder.`,
    )
  return { ...state, database }
}
