import type { ClientHttp2Session, ClientHttp2Stream, IncomingHttpHeaders } from 'node:http2'
import type { Writable } from 'node:stream'
import type { JobResult, WorkerJob } from '#contracts/panel/file-jobs.ts'
import { FileErrorBody } from '#contracts/panel/file-refusals.ts'
import { FileFailure } from './file-failure.ts'
import type { JobWork } from './job-work.ts'
import { JobLine } from './worker-wire.ts'

export type WorkerAnswer = IncomingHttpHeaders & { readonly ':status'?: number }

/** The head of a worker's response. A worker that ended meanwhile is an outside failure: the request can be sent again. */
export const answerOf = (stream: ClientHttp2Stream): Promise<WorkerAnswer> =>
  new Promise((resolve, reject) => {
    stream.once('response', (answer) => resolve(answer as WorkerAnswer))
    stream.once('error', () => reject(new FileFailure('BUSY')))
    stream.once('close', () => reject(new FileFailure('BUSY')))
  })

/** Ends a worker's long reading with the response to the client that asked for it. */
export const endWith = (response: Writable, stream: ClientHttp2Stream): void => {
  const cut = (): void => stream.close()
  if (response.destroyed) cut()
  else response.once('close', cut)
}

/** The body of a worker's response. Throws `BUSY` for a worker that ended meanwhile. */
export const textOf = async (stream: ClientHttp2Stream): Promise<string> => {
  const pieces: Buffer[] = []
  try {
    for await (const piece of stream as AsyncIterable<Buffer>) pieces.push(piece)
  } catch {
    throw new FileFailure('BUSY')
  }
  return Buffer.concat(pieces).toString('utf8')
}

/** The refusal that a worker's response says. */
export const refusedBy = async (stream: ClientHttp2Stream): Promise<FileFailure> => {
  const refused = FileErrorBody.safeParse(JSON.parse(await textOf(stream)))
  return new FileFailure(refused.success ? refused.data.error.code : 'INTERNAL')
}

/** The JSON of a worker's response. Throws the worker's refusal. */
export const answeredJson = async (stream: ClientHttp2Stream): Promise<unknown> => {
  const { ':status': status } = await answerOf(stream)
  if (status !== 200) throw await refusedBy(stream)
  const json: unknown = JSON.parse(await textOf(stream))
  return json
}

/** Reads a job's lines up to its end. */
const readLines = async (stream: ClientHttp2Stream, work: JobWork): Promise<JobResult> => {
  let rest = ''
  stream.setEncoding('utf8')
  for await (const piece of stream as AsyncIterable<string>) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    for (const text of lines) {
      const line = JobLine.parse(JSON.parse(text))
      if ('done' in line) work.progress(line.done, line.total)
      else if ('result' in line) return line.result
      else throw new FileFailure(line.refusal)
    }
  }
  throw new FileFailure('BUSY')
}

/** Lets a worker do a job; the signal ends it. Throws `FileFailure`, `BUSY` for a worker that ended meanwhile. */
export const runJob = async (
  session: ClientHttp2Session,
  asked: { readonly kind: WorkerJob; readonly body: unknown; readonly room: Readonly<Record<string, string>> },
  work: JobWork,
): Promise<JobResult> => {
  const stream = session.request({ ':method': 'POST', ':path': `/call/${asked.kind}`, ...asked.room })
  const cut = (): void => void stream.close()
  work.signal.addEventListener('abort', cut)
  stream.on('error', () => {})
  try {
    stream.end(JSON.stringify(asked.body))
    await answerOf(stream)
    return await readLines(stream, work)
  } finally {
    work.signal.removeEventListener('abort', cut)
    stream.close()
  }
}
