import { spawn, type ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

import { processTree } from './process-tree.ts'
import { NeverComes } from './wait-for.ts'

export interface OwnProcessOptions {
  command: string
  args: string[]
  cwd?: string
  /** The whole environment of the process; nothing is inherited but PATH and HOME. */
  env?: Record<string, string>
  /** How much of the output is kept, newest last. Unit: characters. */
  keepOutput?: number
}

export interface OwnProcess {
  readonly pid: number
  /** Standard output and error in the order of their arrival. */
  output(): string
  /** Resolves with exit code and signal once the process has ended. */
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  isRunning(): boolean
  /** Throws with the output once the process has ended; a `waitFor` around it stops then. */
  mustRun(): void
  signal(name: NodeJS.Signals): void
  /** Resolves when the output holds the text; rejects with the output when the process ends or the time is over. */
  waitForOutput(text: string | RegExp, timeoutMs?: number): Promise<void>
  /** SIGTERM, then SIGKILL when the process has not ended within `timeoutMs`. */
  stop(timeoutMs?: number): Promise<void>
}

/** The length of the output in an error. Unit: characters. */
const SHOWN_OUTPUT = 4_000

const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Starts a program that belongs to this test: it is ended by its own id, at the latest when the test process ends. */
export function startOwnProcess(options: OwnProcessOptions): OwnProcess {
  // The types of the site's framework require NODE_ENV in every environment; a program under test gets only the given
  // one.
  const environment: object = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...options.env }
  const child = spawn(options.command, options.args, {
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    env: environment as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  const keep = options.keepOutput ?? 1_000_000
  const listeners = new Set<() => void>()
  let output = ''
  let state: { code: number | null; signal: NodeJS.Signals | null } | undefined
  const append = (text: string) => {
    output = (output + text).slice(-keep)
    for (const listener of listeners) listener()
  }
  child.stdout.setEncoding('utf8').on('data', append)
  child.stderr.setEncoding('utf8').on('data', append)
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((done) => {
    const end = (code: number | null, signal: NodeJS.Signals | null) => {
      running.delete(child)
      state = { code, signal }
      append('')
      done(state)
    }
    child.once('close', end)
    child.once('error', (error) => {
      append(`${error.message}\n`)
      end(null, null)
    })
  })

  const waitForOutput = (text: string | RegExp, timeoutMs = 30_000) =>
    new Promise<void>((done, fail) => {
      const found = () => (typeof text === 'string' ? output.includes(text) : text.test(output))
      const finish = (error?: Error) => {
        clearTimeout(timer)
        listeners.delete(look)
        if (error === undefined) done()
        else fail(error)
      }
      const look = () => {
        if (found()) finish()
        else if (state !== undefined) finish(new Error(`${options.command} ended before it said ${text}:\n${output}`))
      }
      const timer = setTimeout(
        () => finish(new Error(`${options.command} did not say ${text} in time:\n${output}`)),
        timeoutMs,
      )
      listeners.add(look)
      look()
    })

  return {
    pid: child.pid ?? -1,
    output: () => output,
    ended,
    isRunning: () => state === undefined,
    mustRun: () => {
      if (state !== undefined) throw new NeverComes(`${options.command} has ended:\n${output.slice(-SHOWN_OUTPUT)}`)
    },
    signal: (name) => void child.kill(name),
    waitForOutput,
    stop: async (timeoutMs = 10_000) => {
      if (state !== undefined) return
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
      await ended
      clearTimeout(timer)
    },
  }
}

function listeningInodes(port: number): Set<string> {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0')
  const inodes = new Set<string>()
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const line of readFileSync(table, 'utf8').split('\n').slice(1)) {
      const columns = line.trim().split(/\s+/)
      const isListening = columns[3] === '0A'
      if (isListening && columns[1]?.endsWith(`:${wanted}`) && columns[9] !== undefined) inodes.add(columns[9])
    }
  }
  return inodes
}

/** Throws unless the process or one of its descendants listens on the port. */
export function assertOwnListener(port: number, pid: number): void {
  const inodes = listeningInodes(port)
  for (const member of processTree(pid)) {
    let descriptors: string[]
    try {
      descriptors = readdirSync(`/proc/${member}/fd`)
    } catch {
      continue
    }
    for (const descriptor of descriptors) {
      try {
        const target = readlinkSync(`/proc/${member}/fd/${descriptor}`)
        const inode = /^socket:\[(\d+)\]$/.exec(target)?.[1]
        if (inode !== undefined && inodes.has(inode)) return
      } catch {
        // The descriptor was closed between the listing and the reading.
      }
    }
  }
  throw new Error(`Port ${port} is not answered by process ${pid} or its children.`)
}
