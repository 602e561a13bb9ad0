import { connect, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import type { ClamdAddress } from './clamd-address.ts'
import { ScanFailure, type ScanVerdict, type VirusScanner } from './virus-scanner.ts'

/** `atOnce` files are scanned and `waiting` others wait; each has its verdict within the time, waiting included. */
export type ClamdBounds = { readonly atOnce: number; readonly waiting: number; readonly withinMs: number }

const BOUNDS: ClamdBounds = { atOnce: 4, waiting: 16, withinMs: 30_000 }
/** Longer than any answer of clamd. */
const LONGEST_ANSWER = 1_024
const PIECE = 65_536

const length = (bytes: number): Buffer => {
  const word = Buffer.alloc(4)
  word.writeUInt32BE(bytes)
  return word
}

const verdictOf = (answer: string): ScanVerdict => {
  if (answer === 'stream: OK') return { kind: 'clean' }
  const name = /^stream: (\S.{0,300}) FOUND$/.exec(answer)?.[1]
  if (name !== undefined) return { kind: 'infected', name }
  if (answer === 'INSTREAM size limit exceeded. ERROR') return { kind: 'too-large' }
  throw new ScanFailure('ANSWER')
}

/** The answer up to its NUL. It may come before everything was sent. */
const answerOf = (socket: Socket): Promise<string> =>
  new Promise((resolve, reject) => {
    let answer = ''
    let isConnected = false
    socket.setEncoding('latin1')
    socket.once('connect', () => (isConnected = true))
    socket.on('data', (text: string) => {
      answer += text
      const end = answer.indexOf('\0')
      if (end !== -1) resolve(answer.slice(0, end))
      else if (answer.length > LONGEST_ANSWER) reject(new ScanFailure('ANSWER'))
    })
    socket.once('error', (error) => {
      const failure = new ScanFailure(isConnected ? 'CUT' : 'UNREACHABLE', error)
      reject(error instanceof ScanFailure ? error : failure)
    })
    socket.once('close', () => reject(new ScanFailure('CUT')))
  })

/**
 * Sends a file in pieces until there is an answer. clamd says that a file is too large and hangs up at once: between two pieces its answer is read,
 * because a piece that is sent to nobody would end the connection with what it said.
 */
async function send(socket: Socket, bytes: Uint8Array): Promise<void> {
  let isAnswered = false
  socket.once('data', () => (isAnswered = true))
  socket.write('zINSTREAM\0')
  for (let at = 0; at < bytes.length && !isAnswered && !socket.destroyed; at += PIECE) {
    const piece = bytes.subarray(at, at + PIECE)
    socket.write(length(piece.length))
    await new Promise<void>((resolve) => socket.write(piece, () => resolve()))
    await setImmediate()
  }
  if (!isAnswered && !socket.destroyed) socket.write(length(0))
}

/** One file over one connection (clamd(8), INSTREAM), which is closed whatever happens. */
async function ask(address: ClamdAddress, bytes: Uint8Array, signal: AbortSignal): Promise<ScanVerdict> {
  if (signal.aborted) throw new ScanFailure('LATE')
  const socket = connect(address)
  const end = () => socket.destroy(new ScanFailure('LATE'))
  signal.addEventListener('abort', end)
  try {
    const answer = answerOf(socket)
    void send(socket, bytes)
    return verdictOf(await answer)
  } finally {
    signal.removeEventListener('abort', end)
    socket.destroy()
  }
}

/**
 * A few places, and a bounded line in front of them. A scan that has a place came first, and so loses it before a
 * waiting one is late.
 */
class Places {
  readonly #bounds: ClamdBounds
  readonly #line: (() => void)[] = []
  #taken = 0

  constructor(bounds: ClamdBounds) {
    this.#bounds = bounds
  }

  async take(): Promise<void> {
    if (this.#taken < this.#bounds.atOnce) {
      this.#taken += 1
      return
    }
    if (this.#line.length >= this.#bounds.waiting) throw new ScanFailure('BUSY')
    await new Promise<void>((enter) => this.#line.push(enter))
  }

  /** Passes the place to whoever waits for longest. */
  give(): void {
    const next = this.#line.shift()
    if (next === undefined) this.#taken -= 1
    else next()
  }
}

/** A clamd at an address. */
export function clamd(address: ClamdAddress, bounds: ClamdBounds = BOUNDS): VirusScanner {
  const places = new Places(bounds)
  return {
    scan: async (bytes) => {
      const end = new AbortController()
      const timer = setTimeout(() => end.abort(), bounds.withinMs)
      try {
        await places.take()
        return await ask(address, bytes, end.signal).finally(() => places.give())
      } finally {
        clearTimeout(timer)
      }
    },
  }
}
