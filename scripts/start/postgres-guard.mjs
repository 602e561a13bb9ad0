// Owns one PostgreSQL server. The first line on stdin contains its settings; the line `stop` stops it, and so does the
// end of stdin, when a supervisor was killed.
import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, readdirSync, writeSync } from 'node:fs'
import { createInterface } from 'node:readline'

const READY = 'database system is ready to accept connections'
const FORCE_AFTER_MS = 20_000
const LOOK_EVERY_MS = 200
// A reconnecting program briefly has no connection.
const QUIET_FOR_MS = 1_000

let server
let stopping = false

function stop() {
  if (stopping || server === undefined) return
  stopping = true
  server.kill('SIGINT')
  setTimeout(() => server.kill('SIGQUIT'), FORCE_AFTER_MS).unref()
}

function say(line) {
  process.stdout.write(`${line}\n`)
}
// The reader is gone if the supervisor was killed; the server still has to be stopped properly.
process.stdout.on('error', () => {})

function start({ command, args, options, logFile }) {
  const log = openSync(logFile, 'a', 0o600)
  server = spawn(command, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] })
  let seen = ''
  let ready = false
  server.stderr.on('data', (chunk) => {
    writeSync(log, chunk)
    if (ready) return
    seen = (seen + chunk.toString('utf8')).slice(-4096)
    ready = seen.includes(READY)
    if (ready) say(`ready ${server.pid}`)
  })
  const end = (reason) => {
    closeSync(log)
    say(`ended ${reason}`)
    process.exit(0)
  }
  server.once('error', (error) => {
    writeSync(log, `${error.message}\n`)
    end('error')
  })
  server.once('close', (code, signal) => end(code ?? signal))
}

/** Whether a client is connected: each is a child of the server whose title contains its address. */
function hasClients() {
  return readdirSync('/proc').some((entry) => {
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8')
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
      return parent === server.pid && readFileSync(`/proc/${entry}/cmdline`, 'utf8').includes(' 127.0.0.1(')
    } catch {
      return false
    }
  })
}

/**
 * Stops the server once the programs have disconnected, at the latest after `graceMs`, because nobody is left to
 * request it.
 */
function stopAfterClients(graceMs) {
  const start = performance.now()
  let lastClientAt = start
  const look = () => {
    const now = performance.now()
    if (server !== undefined && hasClients()) lastClientAt = now
    if (now - start >= graceMs || now - lastClientAt >= QUIET_FOR_MS) return stop()
    setTimeout(look, LOOK_EVERY_MS)
  }
  look()
}

let graceMs = 0
const lines = createInterface({ input: process.stdin })
lines.on('line', (line) => {
  if (line === 'stop') return stop()
  const request = JSON.parse(line)
  graceMs = request.graceMs
  start(request)
})
lines.on('close', () => stopAfterClients(stopping ? 0 : graceMs))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop)
