import { execFile } from 'node:child_process'

export interface CommandResult {
  /** Null when the command could not be started or timed out. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs a program with arguments, never through a shell, with `input` on its standard input. It never rejects. */
export type RunCommand = (command: string, args: readonly string[], input?: string) => Promise<CommandResult>

const TIMEOUT_MS = 20_000
const MAX_OUTPUT = 16 << 20

/** Runs programs of this machine, each for at most this time; failures are part of the result. */
export const runCommandWithin =
  (timeoutMs: number): RunCommand =>
  (command, args, input = '') =>
    new Promise((resolve) => {
      const child = execFile(
        command,
        [...args],
        { timeout: timeoutMs, killSignal: 'SIGKILL', maxBuffer: MAX_OUTPUT, encoding: 'utf8' },
        (error, stdout, stderr) => {
          if (error === null) return resolve({ code: 0, stdout, stderr })
          const code = typeof error.code === 'number' ? error.code : null
          resolve({ code, stdout, stderr: stderr === '' ? error.message : stderr })
        },
      )
      child.stdin?.on('error', () => {})
      child.stdin?.end(input)
    })

/** Runs programs that take at most 20 seconds. */
export const runCommand: RunCommand = runCommandWithin(TIMEOUT_MS)
