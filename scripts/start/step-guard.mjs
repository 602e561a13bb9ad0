// Runs one step for a supervisor. The first line on stdin contains the command; the end of stdin, when a supervisor was
// killed, ends the step and all of its children. It leads the step's process group.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

const FORCE_AFTER_MS = 5_000

let isOver = false

function endGroup() {
  if (isOver) return
  process.kill(-process.pid, 'SIGTERM')
  setTimeout(() => process.kill(-process.pid, 'SIGKILL'), FORCE_AFTER_MS)
}

// A signal goes to the whole group: it ends the step, and this process ends with the step.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})

const lines = createInterface({ input: process.stdin })
lines.once('line', (line) => {
  const { command, args, options } = JSON.parse(line)
  const step = spawn(command, args, { ...options, stdio: ['ignore', 'inherit', 'inherit'] })
  const end = (code) => {
    isOver = true
    process.exit(code)
  }
  step.once('error', (error) => {
    process.stderr.write(`${error.message}\n`)
    end(127)
  })
  step.once('exit', (code) => end(code ?? 1))
})
lines.once('close', endGroup)
