// What must be true before anything starts. Each refusal is one sentence that says what to do.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statfsSync } from 'node:fs'
import { createServer } from 'node:net'

import { progress } from './progress.mjs'

const OLDEST_NODE = [20, 19]
const NEEDED_GIB = 3

/** An error that the user can mend: its sentence is shown alone, without a stack. */
export class Refusal extends Error {
  constructor(sentence) {
    super(sentence)
    this.sentence = sentence
  }
}

const here = () => ({
  node: process.versions.node,
  platform: process.platform,
  arch: process.arch,
  // Absent where the C library is another one (musl).
  glibc: process.report?.getReport().header.glibcVersionRuntime,
})

/** One sentence when this machine cannot run Bakter, else undefined. */
export function checkPlatform({ node, platform, arch, glibc } = here()) {
  const [major, minor] = node.split('.').map(Number)
  if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])) {
    return `Bakter needs Node ${OLDEST_NODE.join('.')} or newer; this is Node ${node}.`
  }
  if (platform !== 'linux' || !['x64', 'arm64'].includes(arch) || glibc === undefined) {
    const libc = platform === 'linux' && glibc === undefined ? ' without glibc' : ''
    return `Bakter runs on Linux x64 or arm64 with glibc; this is ${platform} ${arch}${libc}.`
  }
  return undefined
}

/** True when what is installed is not what the lock file says. */
export function needsInstall(lockFile = 'package-lock.json', installedFile = 'node_modules/.package-lock.json') {
  if (!existsSync(installedFile)) return true
  const wanted = JSON.parse(readFileSync(lockFile, 'utf8')).packages
  const installed = JSON.parse(readFileSync(installedFile, 'utf8')).packages
  return Object.entries(wanted).some(
    ([path, { version, optional, peer }]) => path !== '' && !optional && !peer && installed[path]?.version !== version,
  )
}

/** Runs `npm ci` when the packages are missing or the lock file has changed. */
export async function installIfNeeded() {
  if (!needsInstall()) return
  await progress('Installing packages (about a minute)', async () => {
    const { code, output } = await run('npm', ['ci', '--no-audit', '--no-fund'], {
      ...process.env,
      PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1',
      PUPPETEER_SKIP_DOWNLOAD: '1',
    })
    if (code !== 0) throw new Refusal(`The packages could not be installed:\n${output}`)
  })
}

function run(command, args, env) {
  return new Promise((done) => {
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    // npm says first what is wrong, and explains its options after it.
    const keep = (chunk) => (output = (output + chunk).slice(0, 2_000))
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.once('error', (error) => done({ code: 1, output: error.message }))
    child.once('close', (code) => done({ code, output }))
  })
}

/** Refuses when the disk below the folder has too little room. `freeBytes` is for tests. */
export function checkDisk(folder, freeBytes) {
  mkdirSync(folder, { recursive: true, mode: 0o711 })
  const { bavail, bsize } = statfsSync(folder)
  const gib = (freeBytes ?? bavail * bsize) / 2 ** 30
  if (gib < NEEDED_GIB) {
    throw new Refusal(`Only ${gib.toFixed(1)} GiB are free below ${folder}; Bakter needs ${NEEDED_GIB} GiB there.`)
  }
}

const isFree = (port, host) =>
  new Promise((done) => {
    const server = createServer()
    server.once('error', () => done(false))
    server.listen(port, host, () => server.close(() => done(true)))
  })

/** Refuses when a port is taken. `ports` maps the name of the variable to the port. */
export async function checkPorts(ports, host) {
  const seen = new Map()
  for (const [variable, port] of Object.entries(ports)) {
    const other = seen.get(port)
    if (other !== undefined)
      throw new Refusal(`${other} and ${variable} are both ${port}: give each a port of its own.`)
    seen.set(port, variable)
    if (!(await isFree(port, host))) {
      throw new Refusal(`Port ${port} is taken by another program: stop it, or set ${variable} to a free port.`)
    }
  }
}
