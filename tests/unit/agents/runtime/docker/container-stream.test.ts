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

let folder: string
let output: StreamOutput
let server: http.Server | undefined

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
  new Promise((resolve) => {
    server = http.createServer((_request, response) => response.writeHead(status).end(body))
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
      timers: { ...systemTimers, after: (ms, run) => (ms === 1_000 ? () => {} : systemTimers.after(ms, run)) },
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
  server = undefined
  rmSync(folder, { recursive: true, force: true })
})

it('does not call the last lines copied that an engine, which is away, still holds [P3]', async () => {
  expect([await output.drain(), lines()]).toEqual([false, []])
  await answer(200, printed)
  expect([await output.drain(), lines()]).toEqual([true, ['first', 'last']])
  // Whoever asks again gets no line twice.
  expect([await output.drain(), lines()]).toEqual([true, ['first', 'last']])
})

it('does not wait for lines that nobody has any more', async () => {
  await answer(404, '{"message":"No such container: container"}')
  expect([await output.drain(), lines()]).toEqual([true, []])
})
