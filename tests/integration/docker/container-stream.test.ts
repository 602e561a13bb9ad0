import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import type { Container } from 'dockerode'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { HistoryReader } from '../../../agents/console/history-reader.ts'
import { systemTimers } from '../../../agents/platform/timers.ts'
import { ConsoleWriters } from '../../../agents/runtime/docker/console-writers.ts'
import { StreamOutput } from '../../../agents/runtime/docker/container-stream.ts'
import { DockerEngine, ENGINE_DEFAULTS } from '../../../agents/runtime/docker/engine.ts'
import { startTestDockerDaemon, type TestDockerDaemon } from '../../support/docker-daemon.ts'
import { loadTestImage } from '../../support/docker-image.ts'
import { waitFor } from '../../support/wait-for.ts'

let daemon: TestDockerDaemon
let folder: string

beforeAll(async () => {
  daemon = await startTestDockerDaemon({ liveRestore: true })
  folder = mkdtempSync(path.join(tmpdir(), 'bakter-stream-'))
})
afterAll(async () => {
  await daemon.remove()
  rmSync(folder, { recursive: true, force: true })
})

/** The program prints so many at once. */
const BATCH = 20
/** An engine that stops while it copies what it has read loses the rest of it, a few batches on a busy machine, which no reader can mend. */
const LOST_BY_ENGINE = 5 * BATCH

/**
 * Prints 1,800 lines, many of them while the engine is away, and the last ones when it is asked to end: an engine that comes back
 * after the program's end may give up its last lines by itself (moby waits two seconds for them), which no reader can mend.
 */
const PRINT = `let n = 0
  const print = (upTo) => {
    while (n < upTo) console.log('line ' + (n += 1))
  }
  const timer = setInterval(() => {
    print(n + ${BATCH})
    if (n >= 1800) clearInterval(timer)
  }, 5)
  const waits = setInterval(() => {}, 1000)
  process.once('SIGTERM', () => {
    print(2000)
    clearInterval(timer)
    clearInterval(waits)
  })`

/** The engine's own record of a program's output: frames of a header of eight bytes and a text. */
const keptLines = async (container: Container): Promise<readonly string[]> => {
  const raw = await container.logs({ stdout: true, stderr: true, follow: false })
  const texts: Buffer[] = []
  for (let at = 0; at < raw.length; at += 8 + raw.readUInt32BE(at + 4))
    texts.push(raw.subarray(at + 8, at + 8 + raw.readUInt32BE(at + 4)))
  return Buffer.concat(texts).toString('utf8').split('\n').slice(0, -1)
}

test("the engine's stream sends every line once, across changes of readers and a restart of the engine [P3]", async () => {
  const { name } = await loadTestImage(daemon.docker)
  const container = await daemon.docker.createContainer({
    Image: name,
    Entrypoint: ['/usr/bin/node', '--eval', PRINT],
    HostConfig: { NetworkMode: 'none' },
  })
  await container.start()
  const { Id, LogPath } = await container.inspect()
  const engine = new DockerEngine({ ...ENGINE_DEFAULTS, socketPath: daemon.socketPath }, systemTimers)
  const open = () => {
    const writers = new ConsoleWriters()
    return new StreamOutput(
      { consoleFolder: folder, afterSeq: 0, logPath: LogPath, isInstaller: false, containerId: Id },
      {
        timers: systemTimers,
        engine,
        writers,
        changed: () => {},
        failed: (error) => {
          throw error
        },
      },
    )
  }
  const lines = () => new HistoryReader(folder).after(0, 1_000_000).lines
  const first = open()
  await waitFor('lines', () => lines().length > 100)
  first.close()
  const second = open()
  await waitFor('more lines', () => lines().length > 400)
  await daemon.restart()
  await waitFor('the lines of the time without an engine', () => lines().at(-1)?.text === 'line 1800')
  await container.kill({ signal: 'SIGTERM' })
  await waitFor('the end of the program', async () => !(await container.inspect()).State.Running)
  // The engine may tell the end before it has written the last lines (LATE_LINES_MS of the follower).
  await waitFor('the last line', async () => (await second.drain()) && lines().at(-1)?.text === 'line 2000')
  second.close()
  const sent = lines().map((line) => line.text)
  expect(sent).toEqual(await keptLines(container))
  const printed = Array.from({ length: 2_000 }, (_, index) => `line ${index + 1}`)
  expect(sent).toEqual(printed.filter((line) => sent.includes(line)))
  expect(printed.length - sent.length).toBeLessThan(LOST_BY_ENGINE)
})
