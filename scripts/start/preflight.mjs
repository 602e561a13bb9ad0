// The checks before anything starts. Each refusal is one sentence that says what to do.
import { accessSync, constants, mkdirSync, readFileSync, statSync, statfsSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'

import { releaseLock, waitForLock } from './process-lock.mjs'
import { progress } from './progress.mjs'
import { spawnStep } from './step-processes.mjs'

/** Disk space of a demo's data with a game server, and of packages and build. */
const NEEDED_GIB = { data: 1, clone: 3 }

/** An error that the user can fix: only its sentence is shown, without a stack. */
export class Refusal extends Error {
  constructor(sentence) {
    super(sentence)
    this.sentence = sentence
  }
}

/** Error codes of unusable folders -> the reason in plain words. */
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

/** The output for an error at the terminal: one sentence if it can be fixed, else all of it. */
export function sentenceOf(error) {
  if (error.sentence !== undefined) return error.sentence
  if (error.path !== undefined && error.code in DISK_FAULTS) {
    return `${error.path} cannot be written: ${DISK_FAULTS[error.code]}.`
  }
  if (error.code === 'ENOSPC') return 'The disk is full.'
  return error.stack
}

/** npm's record of installed packages; empty if the file is missing or truncated. */
function installedPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages ?? {}
  } catch {
    return {}
  }
}

/** True if the installed packages differ from the lock file. */
export function needsInstall(lockFile = 'package-lock.json', installedFile = 'node_modules/.package-lock.json') {
  const wanted = JSON.parse(readFileSync(lockFile, 'utf8')).packages
  const installed = installedPackages(installedFile)
  return Object.entries(wanted).some(
    ([path, { version, optional, peer }]) => path !== '' && !optional && !peer && installed[path]?.version !== version,
  )
}

/** The lock for installing and building in this clone: two at once would delete each other's files. */
const CLONE_LOCK = join('.build', 'clone.pid')

/** Runs `work` while no other process installs or builds in this clone; `work` gets the lock's file, for its steps. */
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
    await progress(
      'Packages (about a minute)',
      async () => {
        // The site is built with development packages, which some settings omit.
        const kinds = ['--include=dev', '--include=optional']
        // An unreachable registry is reported within half a minute; npm's default is three minutes.
        const patience = ['--fetch-retry-mintimeout=2000', '--fetch-retry-maxtimeout=10000']
        // `npm start --silent` would hide the reason of a failure, and warnings would come before it.
        const words = ['--no-audit', '--no-fund', '--loglevel=error']
        const { code, output } = await run('npm', ['ci', ...words, ...kinds, ...patience], lockFile)
        if (code !== 0) throw new Refusal(`The packages could not be installed:\n${output.trim()}`)
      },
      () => 'installed',
    )
  })
}

function run(command, args, lockFile) {
  return new Promise((done) => {
    const env = { ...process.env, PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1', PUPPETEER_SKIP_DOWNLOAD: '1' }
    const child = spawnStep(command, args, { env, lockFile })
    let output = ''
    // npm first prints the error, and then explains its options.
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

/**
 * Refuses when the disk has too little space for the packages and the build, and for the data if they are on the same
 * disk.
 */
function checkClone(dataDir) {
  const folder = process.cwd()
  const needed = NEEDED_GIB.clone + (statSync(folder).dev === statSync(dataDir).dev ? NEEDED_GIB.data : 0)
  const gib = freeGib(folder)
  if (gib < needed)
    throw new Refusal(
      `Only ${gib.toFixed(1)} GiB are free below ${folder}; the first start of Bakter needs ${needed} GiB there.`,
    )
}

/** Like mkdir -p. Node's own does not return where nothing can be created (/proc, Node 20). */
function makeFolder(folder) {
  const found = statSync(folder, { throwIfNoEntry: false })
  if (found?.isDirectory()) return
  if (found === undefined) makeFolder(dirname(folder))
  mkdirSync(folder, { mode: 0o711 })
}

/** Refuses when the folder is not writable or its disk has too little space. `freeBytes` is for tests. */
export function checkDisk(folder, freeBytes) {
  try {
    makeFolder(folder)
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

/** Error code of a failed listen, or undefined if it works. */
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
    // Health, metrics and the internal API listen locally, whatever the public listeners' address is.
    const at = /HEALTH|INTERNAL/.test(variable) ? '127.0.0.1' : host
    const fault = await listenFault(port, at)
    if (fault !== undefined) throw new Refusal(portRefusal({ fault, port, host: at, variable }))
  }
}
