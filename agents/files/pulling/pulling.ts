import type { ClientHttp2Session } from 'node:http2'
import { pipeline } from 'node:stream/promises'
import { FileErrorBody } from '#contracts/panel/file-refusals.ts'
import { joinPath } from '#contracts/panel/file-path.ts'
import type { PullRequest } from '#contracts/panel/node-files.ts'
import { FileFailure } from '../file-failure.ts'
import type { NamedWork } from '../job-work.ts'
import type { RoomHeaders } from '../server-files.ts'
import { answerOf, textOf } from '../worker-answers.ts'
import { BYTES_TRAILER } from '../worker-wire.ts'
import { openSource, type PullNetwork, type PullSource } from './pull-source.ts'

/** The worker of the server whose files the pull changes. */
export interface PullTarget {
  use<Result>(run: (session: ClientHttp2Session, room: RoomHeaders) => Promise<Result>): Promise<Result>
}

/** A file that was pulled. */
export interface Pulled {
  readonly path: string
  /** The host that it came from in the end. */
  readonly host: string
}

/** Counts the bytes of a source on their way to the worker. */
const counted = (passed: (bytes: number) => void) =>
  async function* (pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      passed(piece.length)
      yield piece
    }
  }

interface Sending {
  readonly session: ClientHttp2Session
  readonly room: RoomHeaders
  readonly path: string
}

/** Passes the source on to the worker, which gives the file its place when it is complete. */
const send = async ({ body, bytes }: PullSource, { session, room, path }: Sending, work: NamedWork): Promise<void> => {
  if (body.errored !== null) throw new FileFailure('SOURCE_FAILED')
  let sentBytes = 0
  const headers = {
    ...room,
    ':method': 'PUT',
    ':path': `/content?path=${encodeURIComponent(path)}`,
    'if-none-match': '*',
    ...(bytes === null ? {} : { 'content-length': String(bytes) }),
  }
  const stream = session.request(headers, { waitForTrailers: true })
  // Says that the source came to its end; a stream that was cut has no such line.
  stream.once('wantTrailers', () => stream.sendTrailers({ [BYTES_TRAILER]: String(sentBytes) }))
  const answer = answerOf(stream)
  // Each takes the other with it; the one that fails first has failed.
  let isCut = false
  body.once('error', () => (isCut = !stream.destroyed))
  const passed = (count: number): void => {
    sentBytes += count
    work.progress(sentBytes, bytes)
  }
  const sent = pipeline(body, counted(passed), stream).catch(() => stream.destroy())
  try {
    const head = await answer.catch(async (error: unknown) => {
      await sent
      throw isCut ? new FileFailure('SOURCE_FAILED') : error
    })
    const text = await textOf(stream)
    if (head[':status'] === 200) return
    const refused = FileErrorBody.safeParse(JSON.parse(text))
    throw new FileFailure(refused.success ? refused.data.error.code : 'INTERNAL')
  } finally {
    body.destroy()
    stream.destroy()
  }
}

/** Downloads a file of the web into a server's folder. It appears when it is complete, and replaces nothing. */
export const pull = async (
  request: PullRequest,
  { network, target }: { readonly network: PullNetwork; readonly target: PullTarget },
  work: NamedWork,
): Promise<Pulled> => {
  const source = await openSource(request.address, network, work.signal)
  try {
    const path = joinPath(request.folder, request.name ?? source.name)
    work.named(path)
    work.progress(0, source.bytes)
    await target.use((session, room) => send(source, { session, room, path }, work))
    return { path, host: source.host }
  } finally {
    source.body.destroy()
  }
}
