// What must be true before anything starts. Each refusal is one sentence that says what to do.
import { accessSync, constants, mkdirSync, readFileSync, statSync, statfsSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'

import { releaseLock, waitForLock } from './process-lock.mjs'
import { progress } from './progress.mjs'
import { spawnStep } from './step-processes.mjs'

/** What the data of a demo grow to with a game server, and what packages and build take. */
const NEEDED_GIB = { data: 1, clone: 3 }

/** An error that the user can mend: its sentence is shown alone, without a stack. */
export class Refusal extends Error {
  constructor(sentence) {
    super(sentence)
    this.sentence = sentence
  }
}

/** What the system says when a folder cannot be used -> why, in the words of a person. */
const DISK_FAULTS = {
  EACCES: 'you may not write there',
  EPERM: 'you may not write there',
  EROFS: 'it is read-only',
  ENOENT: 'it cannot be made there',
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'it is a file',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
}

/** What a person at the terminal should read of an error: one sentence when it can be mended, else all of it. */
export function sentenceOf(error) {
  if (error.sentence !== undefined) return error.sentence
  if (error.path !== undefined && error.code in DISK_FAULTS) {
    return `${error.path} cannot be written: ${DISK_FAULTS[error.code]}.`
  }
  if (error.code === 'ENOSPC') return 'The disk is full.'
  return error.stack
}

/** What npm says that it has installed: nothing where its file is missing or was cut off. */
function installedPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages ?? {}
  } catch {
    return {}
  }
}

/** True when what is installed is not what the lock file says. */
export function needsInstall(lockFile = 'package-lock.json', installedFile = 'node_modules/.package-lock.json') {
  const wanted = JSON.parse(readFileSync(lockFile, 'utf8')).packages
  const installed = installedPackages(installedFile)
  return Object.entries(wanted).some(
    ([path, { version, optional, peer }]) => path !== '' && !optional && !peer && installed[path]?.version !== version,
  )
}

/** Whoever installs or builds in this clone: two at once would take each other's files away. */
const CLONE_LOCK = join('.build', 'clone.pid')

/** Runs `work` while nobody else installs or builds in this clone; `work` gets the lock's file, for its steps. */
export async function aloneInClone(work) {
  mkdirSync(dirname(CLONE_LOCK), { recursive: true })
  await waitForLock(CLONE_LOCK, (pid) =>
    console.log(`Process ${pid} installs or builds in this folder; waiting for it.`),
  )
  try {
    return await work(CLONE_LOCK)
  } finally {
    releaseLock(CLONE_LOCK)
  }
}

/** Runs `npm ci` when the packages are missing or the lock file has changed. */
export async function installIfNeeded() {
  if (!needsInstall()) return
  await aloneInClone(async (lockFile) => {
    if (!needsInstall()) return
    await progress('Installing packages (about a minute)', async () => {
      // What builds the site stands among the packages for development, which some settings leave out.
      const { code, output } = await run(
        'npm',
        ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund'],
        lockFile,
      )
      if (code !== 0) throw new Refusal(`The packages could not be installed:\n${output}`)
    })
  })
}

function run(command, args, lockFile) {
  return new Promise((done) => {
    const env = { ...process.env, PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1', PUPPETEER_SKIP_DOWNLOAD: '1' }
    const child = spawnStep(command, args, { env, lockFile })
    let output = ''
    // npm says first what is wrong, and explains its options after it.
    const keep = (chunk) => (output = (output + chunk).slice(0, 2_000))
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.once('error', (error) => done({ code: 1, output: error.message }))
    child.once('close', (code) => done({ code, output }))
  })
}

const freeGib = (folder) => {
  const { bavail, bsize } = statfsSync(folder)
  return (bavail * bsize) / 2 ** 30
}

/** Refuses when this folder's disk has no room for the packages and the build, and for the data where they lie on it, too. */
function checkClone(dataDir) {
  const folder = process.cwd()
  const needed = NEEDED_GIB.clone + (statSync(folder).dev === statSync(dataDir).dev ? NEEDED_GIB.data : 0)
  const gib = freeGib(folder)
  if (gib < needed)
    throw new Refusal(
      `Only ${gib.toFixed(1)} GiB are free below ${folder}; the first start of Bakter needs ${needed} GiB there.`,
    )
}

/** Refuses when the folder cannot be written or the disk below it has too little room. `freeBytes` is for tests. */
export function checkDisk(folder, freeBytes) {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o711 })
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    const why = DISK_FAULTS[error.code] ?? error.message
    throw new Refusal(`The data folder ${folder} cannot be used: ${why}. BAKTER_DATA chooses another one.`)
  }
  const gib = freeBytes === undefined ? freeGib(folder) : freeBytes / 2 ** 30
  if (gib < NEEDED_GIB.data) {
    throw new Refusal(`Only ${gib.toFixed(1)} GiB are free below ${folder}; Bakter needs ${NEEDED_GIB.data} GiB there.`)
  }
  if (needsInstall()) checkClone(folder)
}

/** Code of the error with which listening fails, or undefined when it works. */
const listenFault = (port, host) =>
  new Promise((done) => {
    const server = createServer()
    server.once('error', (error) => done(error.code))
    server.listen(port, host, () => server.close(() => done(undefined)))
  })

function portRefusal({ fault, port, host, variable }) {
  if (fault === 'EACCES') return `Port ${port} needs root: set ${variable} to a free port from 1024.`
  if (['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL', 'EAFNOSUPPORT'].includes(fault))
    return `HOST is "${host}", which is no address of this machine.`
  return `Port ${port} is taken by another program: stop it, or set ${variable} to a free port.`
}

/** Refuses when a port is taken. `ports` maps the name of the variable to the port. */
export async function checkPorts(ports, host) {
  const seen = new Map()
  for (const [variable, port] of Object.entries(ports)) {
    const other = seen.get(port)
    if (other !== undefined)
      throw new Refusal(`${other} and ${variable} are both ${port}: give each a port of its own.`)
    seen.set(port, variable)
    // Health, metrics and the internal API are for this machine, wherever the public listeners are.
    const at = /HEALTH|INTERNAL/.test(variable) ? '127.0.0.1' : host
    const fault = await listenFault(port, at)
    if (fault !== undefined) throw new Refusal(portRefusal({ fault, port, host: at, variable }))
  }
}
