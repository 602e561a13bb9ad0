import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2'
import { FileFailure } from '../files/file-failure.ts'
import type { RoomHeaders } from '../files/server-files.ts'
import { frameOf, framesOf, type SessionAnswer, type SessionCall } from '../files/session-wire.ts'
import { isFileRefusal } from '#contracts/panel/file-refusals.ts'

interface Waiting {
  readonly resolve: (answered: { answer: SessionAnswer; bytes: Buffer }) => void
  readonly reject: (error: unknown) => void
}

/** The agent's end of a file session: calls by number, answered in any order. */
export class SessionClient {
  readonly #stream: ClientHttp2Stream
  readonly #waiting = new Map<number, Waiting>()
  #nextId = 1
  readonly ended: Promise<void>

  constructor(session: ClientHttp2Session, room: RoomHeaders) {
    this.#stream = session.request({ ':method': 'POST', ':path': '/session', ...room }, { endStream: false })
    this.#stream.on('error', () => {})
    this.ended = this.#read()
  }

  /** Throws `FileFailure`: the worker's refusal, `BUSY` once it has ended. */
  call(call: SessionCall, bytes?: Buffer): Promise<{ answer: SessionAnswer; bytes: Buffer }> {
    if (this.#stream.destroyed) return Promise.reject(new FileFailure('BUSY'))
    const id = this.#nextId
    this.#nextId += 1
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      this.#stream.write(frameOf(id, call, bytes))
    })
  }

  close(): void {
    this.#stream.close()
  }

  async #read(): Promise<void> {
    try {
      for await (const { id, value, bytes } of framesOf<SessionAnswer>(this.#stream as AsyncIterable<Buffer>)) {
        const waiting = this.#waiting.get(id)
        this.#waiting.delete(id)
        const { refusal } = value
        if (refusal === undefined) waiting?.resolve({ answer: value, bytes })
        else waiting?.reject(new FileFailure(isFileRefusal(refusal) ? refusal : 'INTERNAL'))
      }
    } catch {
      // The worker has ended, or its connection.
    }
    for (const { reject } of this.#waiting.values()) reject(new FileFailure('BUSY'))
    this.#waiting.clear()
  }
}
