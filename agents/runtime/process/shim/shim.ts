import { spawn, type ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import { HistoryWriter, type NewLine } from '../../../console/history.ts'
import type { ConsoleStream } from '../../../console/console-line.ts'
import { LineSplitter } from '../../../console/line-splitter.ts'
import { noteLine, type NoteLine } from '../../../console/notes.ts'
import { FloodNotice, Throttle } from '../../../console/throttle.ts'
import type { Clock } from '#platform/clock.ts'
import { identityOf } from '../../../platform/process-identity.ts'
import { endLeftovers } from '../leftovers.ts'
import { onMessages, send, socketAddress, type ToShim } from '../shim-socket.ts'
import {
  ENVIRONMENT_MARK,
  reserveExit,
  stateFolderOf,
  tryClaim,
  writeExit,
  writeState,
  type ShimExit,
  type ShimSpec,
  type ShimState,
} from '../task-files.ts'

/** A program's own streams: its output never becomes a note. */
type PrintedStream = Exclude<ConsoleStream, 'x'>

/** How long a pipe kept open by a stray grandchild may delay the end. */
const PIPE_GRACE_MS = 2_000
const LOOK_AT_FLOOD_MS = 500
/** Delay before a record that the disk refused is written again. */
const AGAIN_MS = 1_000
/** Bytes queued for a program that does not read its input. */
const MAX_UNREAD_BYTES = 64 * 1024

/**
 * Owns one program: its pipes, its console history and the record of its end. It runs in its own session, so it
 * outlives the agent, and it is the only writer of the server's history while the program runs.
 */
export class Shim {
  readonly #folder: string
  readonly #spec: ShimSpec
  readonly #clock: Clock
  readonly #history: HistoryWriter
  readonly #throttle = new Throttle()
  readonly #flood = new FloodNotice()
  readonly #watchers = new Set<net.Socket>()
  readonly #server: net.Server
  #child: ChildProcess | undefined
  #nudged = false
  #unwritten = 0
  #finished = false
  #isWatchingFlood = false
  #onEnd: () => void = () => {}

  constructor(folder: string, spec: ShimSpec, clock: Clock) {
    this.#folder = folder
    this.#spec = spec
    this.#clock = clock
    this.#history = new HistoryWriter(spec.consoleFolder)
    this.#server = net.createServer((socket) => this.#serve(socket))
  }

  /** Runs the program to its end. Resolves when everything is recorded. */
  run(): Promise<void> {
    const ended = new Promise<void>((resolve) => {
      this.#onEnd = resolve
    })
    const address = socketAddress(this.#folder)
    fs.rmSync(address.path, { force: true })
    this.#server.listen(address.path, () => {
      fs.chmodSync(address.path, 0o600)
      this.#start()
    })
    return ended
  }

  #start(): void {
    const { argv, environment, workingFolder, uid, timeoutMs } = this.#spec
    const [command = '', ...args] = argv
    let child: ChildProcess
    try {
      reserveExit(this.#folder)
      child = spawn(command, args, {
        cwd: workingFolder,
        // A server's environment is separate: only the types of the site's framework require NODE_ENV in every
        // environment.
        env: { ...environment, [ENVIRONMENT_MARK]: this.#spec.taskId } as unknown as NodeJS.ProcessEnv,
        stdio: ['pipe', 'pipe', 'pipe'],
        detached: true,
        ...(uid === null ? {} : { uid, gid: uid }),
      })
    } catch (error) {
      this.#finish(null, null, (error as NodeJS.ErrnoException).code ?? 'EINVAL')
      return
    }
    this.#child = child
    child.once('error', (error) => this.#finish(127, null, (error as NodeJS.ErrnoException).code ?? 'UNKNOWN'))
    if (child.pid === undefined) return
    const state = { shim: identityOf(process.pid), child: identityOf(child.pid), startedAtMs: this.#clock.now() }
    this.#recordBeginning({ version: 1, ...state })
    child.stdin?.on('error', () => {})
    const output: PrintedStream = this.#spec.kind === 'install' ? 'i' : 'o'
    this.#follow(child.stdout, output)
    this.#follow(child.stderr, this.#spec.kind === 'install' ? 'i' : 'e')
    if (timeoutMs !== null) setTimeout(() => this.#timeOut(timeoutMs), timeoutMs).unref()
    const { startTicks } = state.child
    child.once('exit', (code, signal) => {
      // Remaining processes would keep its pipes open and its ports taken.
      this.#signalGroup('SIGKILL')
      const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
      const late = new Promise<void>((resolve) => setTimeout(resolve, PIPE_GRACE_MS))
      const ended = endLeftovers({
        taskId: this.#spec.taskId,
        uid,
        startTicks,
        stateFolder: stateFolderOf(this.#folder),
      })
      void Promise.all([Promise.race([closed, late]), ended]).then(() => this.#finish(code, signal, null))
    })
  }

  /** A program whose start cannot be recorded must not run. */
  #recordBeginning(state: ShimState): void {
    try {
      writeState(this.#folder, state)
    } catch {
      this.#signalGroup('SIGKILL')
    }
  }

  #follow(pipe: NodeJS.ReadableStream | null, stream: PrintedStream): void {
    if (pipe === null) return
    const splitter = new LineSplitter()
    pipe.on('data', (chunk: Buffer) => {
      const lines = splitter.push(chunk)
      this.#write(lines, stream)
      const now = this.#clock.now()
      const pauseMs = this.#throttle.take(lines.length, chunk.length, now)
      this.#note(this.#flood.read(lines.length, pauseMs, now))
      if (pauseMs === 0) return
      pipe.pause()
      setTimeout(() => pipe.resume(), pauseMs)
    })
    pipe.on('end', () => this.#write(splitter.flush(), stream))
    pipe.on('error', () => {})
  }

  /** Writes the notes about a flood, and repeats until it has ended. */
  #note(note: NoteLine | undefined): void {
    if (note === undefined) return
    this.#writeNote(note)
    if (!this.#flood.isFlood || this.#isWatchingFlood) return
    this.#isWatchingFlood = true
    const timer = setInterval(() => {
      if (this.#finished) return clearInterval(timer)
      this.#note(this.#flood.look(this.#clock.now()))
      if (this.#flood.isFlood) return undefined
      this.#isWatchingFlood = false
      return clearInterval(timer)
    }, LOOK_AT_FLOOD_MS)
    timer.unref()
  }

  #write(texts: readonly string[], stream: PrintedStream): void {
    const timeMs = this.#clock.now()
    this.#append(texts.map((text) => ({ timeMs, stream, text })))
  }

  #writeNote(note: NoteLine): void {
    this.#append([{ timeMs: this.#clock.now(), stream: 'x', ...note }])
  }

  #append(lines: readonly NewLine[]): void {
    if (lines.length === 0) return
    try {
      if (this.#unwritten > 0) {
        const told = noteLine({ code: 'unwritten', params: { lines: this.#unwritten } })
        this.#history.append([{ timeMs: this.#clock.now(), stream: 'x', ...told }])
        this.#unwritten = 0
      }
      this.#history.append(lines)
    } catch {
      // A full disk must not stop the game; the loss is reported as soon as there is space.
      this.#unwritten += lines.length
    }
    this.#nudge()
  }

  #nudge(): void {
    if (this.#nudged) return
    this.#nudged = true
    setImmediate(() => {
      this.#nudged = false
      for (const watcher of this.#watchers) {
        // Nudges are equivalent, so a slow agent needs only one in its buffer.
        if (watcher.writableLength < 4_096) send(watcher, { lines: this.#history.lastSeq })
      }
    })
  }

  #serve(socket: net.Socket): void {
    socket.on('error', () => {})
    socket.on('close', () => this.#watchers.delete(socket))
    onMessages<ToShim>(socket, (message) => {
      if ('watch' in message) {
        this.#watchers.add(socket)
        send(socket, { lines: this.#history.lastSeq })
      }
      if ('signal' in message) send(socket, { ok: this.#signalGroup(message.signal) })
      if ('line' in message) send(socket, { ok: this.#writeLine(message.line) })
    })
  }

  #writeLine(line: string): boolean {
    const stdin = this.#child?.stdin
    if (!stdin?.writable || stdin.writableLength > MAX_UNREAD_BYTES) return false
    stdin.write(`${line}\n`)
    return true
  }

  #signalGroup(signal: NodeJS.Signals): boolean {
    const pid = this.#child?.pid
    if (pid === undefined) return false
    try {
      process.kill(-pid, signal)
      return true
    } catch {
      return false
    }
  }

  #timeOut(timeoutMs: number): void {
    this.#writeNote(noteLine({ code: 'time-limit', params: { seconds: Math.round(timeoutMs / 1_000) } }))
    this.#signalGroup('SIGKILL')
  }

  #finish(code: number | null, signal: NodeJS.Signals | null, startError: string | null): void {
    if (this.#finished) return
    this.#finished = true
    if (startError !== null) this.#writeNote(noteLine({ code: 'program-not-started', params: { reason: startError } }))
    this.#note(this.#flood.look(this.#clock.now(), true))
    this.#recordEnd({ version: 1, code, signal, startError, atMs: this.#clock.now() })
  }

  /** The shim stays until the end is on disk: otherwise the agent would take the program for lost. */
  #recordEnd(exit: ShimExit): void {
    try {
      writeExit(this.#folder, exit)
    } catch {
      setTimeout(() => this.#recordEnd(exit), AGAIN_MS)
      return
    }
    this.#server.close()
    for (const watcher of this.#watchers) {
      send(watcher, { exit: true })
      watcher.end()
    }
    this.#history.close()
    this.#onEnd()
  }
}

/** Returns false when the task was ruled out, or claimed by another shim, before this one began. */
export const claimTask = (folder: string): boolean => tryClaim(folder, { by: 'shim', shim: identityOf(process.pid) })
