import { spawn } from 'node:child_process'
import { createWriteStream, existsSync, renameSync, rmSync, statSync } from 'node:fs'

const FIRST_DELAY_MS = 500
const LONGEST_DELAY_MS = 30_000
const HEALTHY_AFTER_MS = 60_000
const MAX_LOG_BYTES = 20_000_000
const TAIL_CHARACTERS = 4_000
const ERROR_LEVEL = 50

function openLog(path) {
  if (existsSync(path) && statSync(path).size > MAX_LOG_BYTES) {
    rmSync(`${path}.1`, { force: true })
    renameSync(path, `${path}.1`)
  }
  return createWriteStream(path, { flags: 'a', mode: 0o600 })
}

/** Message of a log line that a person should see: an error of our JSON logs, or what is no JSON at all. */
function importantPart(line) {
  if (!line.startsWith('{')) return line
  try {
    const { level, msg, err } = JSON.parse(line)
    return level >= ERROR_LEVEL ? [msg, err?.message].filter(Boolean).join(': ') : undefined
  } catch {
    return line
  }
}

/**
 * Runs one program and starts it again when it ends unasked, with growing pauses. The program has a session of its own, so
 * that Ctrl-C reaches only the supervisor; it notices the supervisor's death by the end of its stdin.
 *
 * `healthUrl` answers 200 once the program is ready; `say` gets sentences for the person at the terminal.
 */
export function superviseProgram({ name, command, env, healthUrl, logFile, say, isDevelopment }) {
  const log = openLog(logFile)
  let child
  let tail = ''
  let stopping = false
  let wasReady = false
  let startedAt = 0
  let crashes = 0
  let timer
  let exited = Promise.resolve()

  const show = (chunk) => {
    log.write(chunk)
    tail = (tail + chunk).slice(-TAIL_CHARACTERS)
    for (const line of chunk.split('\n')) {
      const part = line.trim() === '' ? undefined : importantPart(line)
      if (part !== undefined && (isDevelopment || line.startsWith('{'))) say(`${name}: ${part}`)
    }
  }

  function start() {
    startedAt = performance.now()
    const [program, ...args] = command
    child = spawn(program, args, { env, detached: true, stdio: ['pipe', 'pipe', 'pipe', 'ipc'] })
    child.stdin.on('error', () => {})
    child.stdout.setEncoding('utf8').on('data', show)
    child.stderr.setEncoding('utf8').on('data', show)
    const own = child
    exited = new Promise((done) => {
      own.once('error', (error) => show(`${error.message}\n`))
      own.once('close', (code, signal) => {
        done()
        if (!stopping && child === own) restart(signal ?? `code ${code}`)
      })
    })
  }

  function restart(reason) {
    if (performance.now() - startedAt > HEALTHY_AFTER_MS) crashes = 0
    crashes += 1
    const delayMs = Math.min(FIRST_DELAY_MS * 2 ** (crashes - 1), LONGEST_DELAY_MS)
    say(`${name} ended unexpectedly (${reason}); starting it again in ${delayMs / 1_000} s. Log: ${logFile}`)
    timer = setTimeout(start, delayMs)
  }

  async function isReady() {
    try {
      const answer = await fetch(`${healthUrl}/health/ready`, { signal: AbortSignal.timeout(2_000) })
      await answer.arrayBuffer()
      return answer.ok
    } catch {
      return false
    }
  }

  return {
    name,
    start,
    get pid() {
      return child?.pid
    },
    get tail() {
      return tail
    },
    isReady,
    /** Resolves once the program answers that it is ready; rejects when it crashes three times before or the time is over. */
    async waitUntilReady(timeoutMs) {
      const end = performance.now() + timeoutMs
      while (!(await isReady())) {
        const over = performance.now() > end
        if (stopping) return
        if (over || (!wasReady && crashes >= 3))
          throw new Error(`${name} does not start. The end of ${logFile}:\n${tail}`)
        await new Promise((done) => setTimeout(done, 50))
      }
      wasReady = true
    },
    /** Ends the running process in order and starts it again. */
    async restartNow() {
      const old = child
      child = undefined
      old?.kill('SIGTERM')
      await exited
      if (!stopping) start()
    },
    /** SIGTERM, and SIGKILL when the program has not ended in time. */
    async stop(timeoutMs) {
      stopping = true
      clearTimeout(timer)
      if (child !== undefined && child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM')
        const force = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
        await exited
        clearTimeout(force)
      }
      await new Promise((done) => log.end(done))
    },
    /** Ends the program at once. */
    kill() {
      stopping = true
      clearTimeout(timer)
      child?.kill('SIGKILL')
    },
  }
}
