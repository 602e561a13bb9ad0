import { mkdtempSync, rmSync } from 'node:fs'
import http from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { afterEach, beforeEach, expect, it } from 'vitest'

import { HistoryReader } from '../../../../../agents/console/history-reader.ts'
import { systemTimers } from '../../../../../agents/platform/timers.ts'
import { ConsoleWriters } from '../../../../../agents/runtime/docker/console-writers.ts'
import { StreamOutput } from '../../../../../agents/runtime/docker/container-stream.ts'
import { DockerEngine, ENGINE_DEFAULTS } from '../../../../../agents/runtime/docker/engine.ts'
import { waitFor } from '../../../../support/wait-for.ts'

let folder: string
let output: StreamOutput
let server: http.Server | undefined
/** Begins the next attempt of the reader, where one is due. */
let retry: (() => void) | undefined

const frame = (text: string): Buffer => {
  const bytes = Buffer.from(text)
  const head = Buffer.from([1, 0, 0, 0, 0, 0, 0, 0])
  head.writeUInt32BE(bytes.length, 4)
  return Buffer.concat([head, bytes])
}
const printed = Buffer.concat(
  ['first', 'last'].map((text, at) => frame(`2026-11-21T04:05:0${at}.000000000Z ${text}\n`)),
)

/** From now on something answers where the engine should. */
const answer = (status: number, body: Buffer | string): Promise<void> =>
  serve((_request, response) => response.writeHead(status).end(body))
const serve = (handle: http.RequestListener): Promise<void> =>
  new Promise((resolve) => {
    server = http.createServer(handle)
    server.listen(path.join(folder, 'docker.sock'), resolve)
  })
const lines = (): string[] => new HistoryReader(folder).after(0, 100).lines.map(({ text }) => text)

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'bakter-stream-'))
  const socketPath = path.join(folder, 'docker.sock')
  output = new StreamOutput(
    { consoleFolder: folder, afterSeq: 0, logPath: '', isInstaller: false, containerId: 'container' },
    {
      // Nothing is tried again by itself.
      timers: {
        ...systemTimers,
        after: (_ms, run) => {
          retry = run
          return () => {
            retry = undefined
          }
        },
      },
      engine: new DockerEngine({ ...ENGINE_DEFAULTS, socketPath }, systemTimers),
      writers: new ConsoleWriters(),
      changed: () => {},
      failed: (error) => {
        throw error
      },
    },
  )
})
afterEach(() => {
  output.close()
  server?.close()
  server?.closeAllConnections()
  server = undefined
  retry = undefined
  rmSync(folder, { recursive: true, force: true })
})

it('does not call the last lines copied that an engine, which is away, still holds [P3]', async () => {
  expect([await output.drain(), lines()]).toEqual([false, []])
  await answer(200, printed)
  expect([await output.drain(), lines()]).toEqual([true, ['first', 'last']])
  // A reader that asks again gets no line twice.
  expect([await output.drain(), lines()]).toEqual([true, ['first', 'last']])
})

it('marks both sides of a place at which the engine has cut a line', async () => {
  const piece = 'x'.repeat(16 * 1024)
  const pieces = [piece, 'end\n'].map((text, at) => frame(`2026-11-21T04:05:0${at}.000000000Z ${text}`))
  await answer(200, Buffer.concat(pieces))
  expect([await output.drain(), lines()]).toEqual([true, [`${piece}⋯`, '⋯end']])
})

it('does not wait for lines that nobody has any more', async () => {
  await answer(404, '{"message":"No such container: container"}')
  expect([await output.drain(), lines()]).toEqual([true, []])
})

it('reads the end alone: a reader that went on beside it would bring its lines twice [P3]', async () => {
  await waitFor('the first attempt to fail', () => retry !== undefined)
  const followed: http.ServerResponse[] = []
  const whole: http.ServerResponse[] = []
  await serve((request, response) => {
    const isEndless = request.url?.includes('follow=true') === true
    ;(isEndless ? followed : whole).push(response.writeHead(200))
    if (isEndless) response.flushHeaders()
  })
  retry?.()
  retry = undefined
  await waitFor('a reader', () => followed.length === 1)
  const drained = output.drain()
  await waitFor('the reader of the end', () => whole.length === 1)
  // The reader has ended, and may want to begin again.
  await new Promise((resolve) => setTimeout(resolve, 50))
  const again = retry as (() => void) | undefined
  again?.()
  if (again !== undefined) await waitFor('a second reader', () => followed.length === 2)
  await new Promise((resolve) => setTimeout(resolve, 50))
  whole[0]?.end(printed)
  expect(await drained).toBe(true)
  for (const response of followed) response.end(printed)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(lines()).toEqual(['first', 'last'])
})
