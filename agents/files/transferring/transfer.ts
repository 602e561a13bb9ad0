import type { ClientHttp2Session, ClientHttp2Stream, IncomingHttpHeaders } from 'node:http2'
import { NO_RESULT, type JobResult } from '#contracts/panel/file-jobs.ts'
import { joinPath, nameOf } from '#contracts/panel/file-path.ts'
import { isFileRefusal, type FileRefusal } from '#contracts/panel/file-refusals.ts'
import type { TransferRequest } from '#contracts/panel/node-files.ts'
import { LeftOutList } from '../archives/left-out-list.ts'
import { FileFailure, refusalOf } from '../file-failure.ts'
import type { NamedWork } from '../job-work.ts'
import { passOn } from '../pass-on.ts'
import type { RoomHeaders } from '../server-files.ts'
import { answeredJson, answerOf, refusedBy } from '../worker-answers.ts'
import { Left, MARK_TRAILER, Measured, Received, REFUSAL_TRAILER } from './transfer-wire.ts'

/** One of the two servers of a transfer. */
export interface TransferEnd {
  /** Runs with its worker. */
  use<Result>(run: (session: ClientHttp2Session, room: RoomHeaders) => Promise<Result>): Promise<Result>
}

export interface TransferEnds {
  readonly source: TransferEnd
  readonly target: TransferEnd
  /** Throws once the two may no longer do this. */
  checkStill(): void
  /** Called for each thing that has arrived. `hasLeft` is true once its old place is empty. */
  arrived(thing: Arrived): void
}

export interface Arrived {
  readonly from: string
  readonly to: string
  readonly hasLeft: boolean
}

type Asked = Readonly<Record<string, string>>
type Thing = Omit<Arrived, 'hasLeft'> & Pick<TransferRequest, 'moves' | 'taken'> & { readonly bytes: number }

const pathOf = (call: string, asked: Asked): Asked => ({
  ':path': `/transfer/${call}?${new URLSearchParams(asked).toString()}`,
})

const ask = (session: ClientHttp2Session, call: string, asked: Asked): ClientHttp2Stream =>
  session.request(pathOf(call, asked))

/** How the sender says that it has ended; nothing for one that was cut. */
const trailersOf = (stream: ClientHttp2Stream): Promise<IncomingHttpHeaders> =>
  new Promise((resolve) => {
    stream.once('trailers', resolve)
    stream.once('close', () => resolve({}))
  })

const refusalIn = ({ [REFUSAL_TRAILER]: said }: IncomingHttpHeaders): FileRefusal | undefined =>
  typeof said === 'string' && isFileRefusal(said) ? said : undefined

/** One transfer while it runs. */
class Transferring {
  readonly #ends: TransferEnds
  readonly #work: NamedWork
  readonly #leftOut = new LeftOutList()
  #doneBytes = 0
  #totalBytes = 0

  constructor(ends: TransferEnds, work: NamedWork) {
    this.#ends = ends
    this.#work = work
  }

  async run({ paths, folder, moves, taken }: TransferRequest): Promise<JobResult> {
    const { source, target } = this.#ends
    await target.use((session) => answeredJson(ask(session, 'folder', { path: folder })))
    const { bytes } = await source.use(async (session) => {
      const stream = session.request({ ':method': 'POST', ...pathOf('measure', {}) })
      stream.end(JSON.stringify({ paths }))
      return Measured.parse(await answeredJson(stream))
    })
    this.#totalBytes = bytes.reduce((sum, each) => sum + each, 0)
    const refusals: JobResult['refusals'] = []
    for (const [index, from] of paths.entries()) {
      const thing = { from, to: joinPath(folder, nameOf(from)), bytes: bytes[index] ?? 0, moves, taken }
      const refusal = await this.#one(thing).catch(refusalOf)
      if (this.#work.signal.aborted) throw new FileFailure('BUSY')
      refusals.push(refusal)
    }
    const refused = paths[refusals.findIndex((refusal) => refusal !== null)]
    // The list of jobs says the reason of the first refusal.
    if (refused !== undefined) this.#work.named(joinPath(folder, nameOf(refused)))
    return { ...NO_RESULT, refusals, ...this.#leftOut.report }
  }

  async #one(thing: Thing): Promise<FileRefusal | null> {
    const { source, target, arrived, checkStill } = this.#ends
    checkStill()
    const { from, moves } = thing
    const { received, mark } = await source.use((session) =>
      target.use((into, room) => this.#pass(thing, session, { into, room })),
    )
    this.#leftOut.addAll(received)
    const isWhole = received.leftOutCount === 0
    const mayLeave = moves && isWhole && !this.#work.signal.aborted
    // A thing that cannot leave has arrived nevertheless.
    const hasLeft = mayLeave && (await this.#leave(from, mark).catch(() => false))
    arrived({ from, to: received.path, hasLeft })
    return moves && !hasLeft ? 'SOURCE_KEPT' : null
  }

  async #leave(path: string, mark: string): Promise<boolean> {
    this.#ends.checkStill()
    const answer = await this.#ends.source.use((session) => answeredJson(ask(session, 'leave', { path, mark })))
    return Left.parse(answer).hasLeft
  }

  async #pass({ from, to, bytes, moves, taken }: Thing, session: ClientHttp2Session, { into, room }: Into) {
    const sending = ask(session, 'send', { path: from })
    const trailers = trailersOf(sending)
    const cut = (): void => void sending.close()
    this.#work.signal.addEventListener('abort', cut)
    // Its reader is told.
    sending.on('error', () => {})
    try {
      if ((await answerOf(sending))[':status'] !== 200) throw await refusedBy(sending)
      const asked = { path: to, bytes: String(bytes), move: String(moves), taken }
      const receiving = into.request({ ...room, ':method': 'PUT', ...pathOf('receive', asked) })
      const answer = await passOn(sending, receiving, (count) => this.#passed(count)).catch(async (error: unknown) => {
        throw new FileFailure(refusalIn(await trailers) ?? refusalOf(error))
      })
      const { [MARK_TRAILER]: mark } = await trailers
      if (typeof mark !== 'string') throw new FileFailure('BUSY')
      return { received: Received.parse(answer), mark }
    } finally {
      this.#work.signal.removeEventListener('abort', cut)
      sending.destroy()
    }
  }

  /** Headers and padding are not counted beforehand. */
  #passed(bytes: number): void {
    this.#doneBytes = Math.min(this.#totalBytes, this.#doneBytes + bytes)
    this.#work.progress(this.#doneBytes, this.#totalBytes)
  }
}

/** The worker that receives, and its storage. */
interface Into {
  readonly into: ClientHttp2Session
  readonly room: RoomHeaders
}

/**
 * Takes things of one server to another one of the node, one after the other. Each appears there when it is complete, deals with a taken
 * name as the request says, and leaves its old place, if it is to, only when all of it has arrived and nothing of it has changed since.
 */
export const transfer = (request: TransferRequest, ends: TransferEnds, work: NamedWork): Promise<JobResult> =>
  new Transferring(ends, work).run(request)
