import type { ClientHttp2Session } from 'node:http2'
import { joinPath } from '#contracts/panel/file-path.ts'
import type { PullRequest } from '#contracts/panel/node-files.ts'
import { FileFailure } from '../file-failure.ts'
import type { NamedWork } from '../job-work.ts'
import { passOn } from '../pass-on.ts'
import type { RoomHeaders } from '../server-files.ts'
import { BYTES_TRAILER, Placed, TAKEN_HEADER } from '../worker-wire.ts'
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

interface Sending {
  readonly session: ClientHttp2Session
  readonly room: RoomHeaders
  readonly path: string
  readonly taken: PullRequest['taken']
}

/** Passes the source on to the worker, which gives the file its place when it is complete. Resolves with its path. */
const send = async ({ body, bytes }: PullSource, sending: Sending, work: NamedWork): Promise<string> => {
  const { session, room, path, taken } = sending
  if (body.errored !== null) throw new FileFailure('SOURCE_FAILED')
  let sentBytes = 0
  const headers = {
    ...room,
    ':method': 'PUT',
    ':path': `/content?path=${encodeURIComponent(path)}`,
    'if-none-match': '*',
    [TAKEN_HEADER]: taken,
    ...(bytes === null ? {} : { 'content-length': String(bytes) }),
  }
  const stream = session.request(headers, { waitForTrailers: true })
  // Says that the source came to its end; a stream that was cut has no such line.
  stream.once('wantTrailers', () => stream.sendTrailers({ [BYTES_TRAILER]: String(sentBytes) }))
  // The source and the worker take each other with them; the one that fails first has failed.
  let isCut = false
  body.once('error', () => (isCut = !stream.destroyed))
  const passed = (count: number): void => {
    sentBytes += count
    work.progress(sentBytes, bytes)
  }
  try {
    return Placed.parse(await passOn(body, stream, passed)).path
  } catch (error) {
    throw isCut ? new FileFailure('SOURCE_FAILED') : error
  }
}

/** Downloads a file of the web into a server's folder. It appears when it is complete; what it replaces goes to the bin. */
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
    const { taken } = request
    const placed = await target.use((session, room) => send(source, { session, room, path, taken }, work))
    work.named(placed)
    return { path: placed, host: source.host }
  } finally {
    source.body.destroy()
  }
}
