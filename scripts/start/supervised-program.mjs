import { spawn } from 'node:child_process'
import { createWriteStream, existsSync, renameSync, rmSync, statSync } from 'node:fs'

const FIRST_DELAY_MS = 500
const LONGEST_DELAY_MS = 30_000
const HEALTHY_AFTER_MS = 60_000
const MAX_LOG_BYTES = 20_000_000
const TAIL_CHARACTERS = 4_000
const ERROR_LEVEL = 50
/** A program with invalid settings exits with this code: restarting does not help. */
const EX_CONFIG = 78
const HOPELESS_CRASHES = 3
const ASK_AGAIN_MS = 200

function openLog(path) {
  if (existsSync(path) && statSync(path).size > MAX_LOG_BYTES) {
    rmSync(`${path}.1`, { force: true })
    renameSync(path, `${path}.1`)
  }
  // A full disk costs only the log.
  return createWriteStream(path, { flags: 'a', mode: 0o600 }).on('error', () => {})
}

/**
 * The message of a log line that a person should see: an error or an operator message in our JSON logs, or any line
 * that is not JSON.
 */
function importantPart(line) {
  if (!line.startsWith('{')) return line
  try {
    const { level, msg, err, operator } = JSON.parse(line)
    return level >= ERROR_LEVEL || operator === true ? [msg, err?.message].filter(Boolean).join(': ') : undefined
  } catch {
    return line
  }
}

/** Ends the rest of a program's process group: in development Next's workers take seconds to notice its end. */
function endGroup(leader) {
  try {
    process.kill(-leader, 'SIGKILL')
  } catch {
    // The group is empty.
  }
}

/**
 * Runs one program and restarts it after an unexpected end, with growing delays. The program has its own session, so
 * that Ctrl-C reaches only the supervisor; it notices the supervisor's death by the end of its stdin.
 * `healthUrl` answers 200 at /health/ready once the program is ready; `say` receives sentences for the person at the
 * terminal.
 */
export class SupervisedProgram {
  #options
  #log
  #child
  #tail = ''
  #stopping = false
  #wasReady = false
  #startedAt = 0
  #crashes = 0
  #timer
  #exited = Promise.resolve()
  #replacing

  constructor(options) {
    this.#options = options
    this.#log = openLog(options.logFile)
  }

  get name() {
    return this.#options.name
  }

  get pid() {
    return this.#child?.pid
  }

  start() {
    const { command, env, isDevelopment } = this.#options
    const [program, ...args] = command
    this.#startedAt = performance.now()
    const child = spawn(program, args, { env, detached: true, stdio: ['pipe', 'pipe', 'pipe', 'ipc'] })
    this.#child = child
    child.stdin.on('error', () => {})
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk) => this.#show(chunk))
    if (isDevelopment) child.once('exit', () => endGroup(child.pid))
    this.#exited = new Promise((done) => {
      child.once('error', (error) => this.#show(`${error.message}\n`))
      child.once('close', (code, signal) => {
        done()
        if (this.#stopping || this.#child !== child) return
        if (code === EX_CONFIG) this.#crashes = HOPELESS_CRASHES
        else this.#restart(signal ?? `code ${code}`)
      })
    })
  }

  #show(chunk) {
    const { name, say, isDevelopment } = this.#options
    this.#log.write(chunk)
    this.#tail = (this.#tail + chunk).slice(-TAIL_CHARACTERS)
    for (const line of chunk.split('\n')) {
      const part = line.trim() === '' ? undefined : importantPart(line)
      if (part !== undefined && (isDevelopment || line.startsWith('{'))) say(`${name}: ${part}`)
    }
  }

  #restart(reason) {
    const { name, say, logFile } = this.#options
    if (performance.now() - this.#startedAt > HEALTHY_AFTER_MS) this.#crashes = 0
    this.#crashes += 1
    const delayMs = Math.min(FIRST_DELAY_MS * 2 ** (this.#crashes - 1), LONGEST_DELAY_MS)
    say(`${name} ended unexpectedly (${reason}); starting it again in ${delayMs / 1_000} s. Log: ${logFile}`)
    this.#timer = setTimeout(() => this.start(), delayMs)
  }

  async isReady() {
    try {
      const answer = await fetch(`${this.#options.healthUrl}/health/ready`, { signal: AbortSignal.timeout(2_000) })
      await answer.arrayBuffer()
      return answer.ok
    } catch {
      return false
    }
  }

  /** Resolves once the program is ready; rejects after three crashes or the time-out. */
  async waitUntilReady(timeoutMs) {
    const { name, logFile } = this.#options
    const end = performance.now() + timeoutMs
    while (!(await this.isReady())) {
      if (this.#stopping) return
      const gaveUp = performance.now() > end || (!this.#wasReady && this.#crashes >= HOPELESS_CRASHES)
      if (gaveUp) throw new Error(`${name} does not start. The end of ${logFile}:\n${this.#tail}`)
      await new Promise((done) => setTimeout(done, 50))
    }
    this.#wasReady = true
  }

  /** Ends the running process properly and restarts it; repeated calls meanwhile cause one restart. */
  restartNow() {
    this.#replacing ??= this.#replace().finally(() => (this.#replacing = undefined))
    return this.#replacing
  }

  async #replace() {
    // An ended program waits for its next start.
    clearTimeout(this.#timer)
    this.#crashes = 0
    const old = this.#child
    this.#child = undefined
    old?.kill('SIGTERM')
    await this.#exited
    if (!this.#stopping) this.start()
  }

  /** SIGTERM, then SIGKILL if the program has not ended in time. */
  async stop(timeoutMs) {
    if (this.#stopping) return this.#exited
    this.#stopping = true
    clearTimeout(this.#timer)
    this.#child?.kill('SIGTERM')
    const force = setTimeout(() => this.#child?.kill('SIGKILL'), timeoutMs)
    await this.#exited
    clearTimeout(force)
    await new Promise((done) => this.#log.end(done))
  }

  /** Sends two stop signals, as an impatient person does, and kills the program after `patienceMs`. */
  async force(patienceMs) {
    this.#stopping = true
    clearTimeout(this.#timer)
    this.#child?.kill('SIGTERM')
    const asked = setTimeout(() => this.#child?.kill('SIGTERM'), Math.min(ASK_AGAIN_MS, patienceMs))
    const forced = setTimeout(() => this.#child?.kill('SIGKILL'), patienceMs)
    await this.#exited
    clearTimeout(asked)
    clearTimeout(forced)
  }

  /** Ends the program at once. */
  kill() {
    this.#stopping = true
    clearTimeout(this.#timer)
    this.#child?.kill('SIGKILL')
  }
}
