import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Worker } from 'node:worker_threads'
import { afterEach, expect, it, vi } from 'vitest'
import { httpsPushService } from '../../../../../control-plane/messages/push/https-push-service.ts'
import { writeCertificate } from '../../../../support/test-certificate.ts'

afterEach(() => vi.useRealTimers())

const [RECEIVED, GO_ON, ANSWERED] = [0, 1, 2]

/** A push service in a thread of its own: it answers 201 while this thread stands still. */
const SERVICE = `
  const { createServer } = require('node:https')
  const { parentPort, workerData } = require('node:worker_threads')
  const flags = new Int32Array(workerData.flags)
  const set = (at) => { Atomics.store(flags, at, 1); Atomics.notify(flags, at) }
  const server = createServer(workerData.tls, (request, response) => {
    request.resume().on('end', () => {
      set(${RECEIVED})
      Atomics.wait(flags, ${GO_ON}, 0)
      response.writeHead(201).end(() => set(${ANSWERED}))
    })
  })
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))
`

it('an answer that came while this process stood still is read before the time is called over', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bakter-push-'))
  const files = writeCertificate(folder, { name: 'localhost', days: 2 })
  const tls = { key: readFileSync(files.key, 'utf8'), cert: readFileSync(files.certificate, 'utf8') }
  rmSync(folder, { recursive: true })
  const flags = new Int32Array(new SharedArrayBuffer(12))
  const worker = new Worker(SERVICE, { eval: true, workerData: { tls, flags: flags.buffer } })
  const [port] = (await once(worker, 'message')) as [number]
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const service = httpsPushService({
    resolve: () => Promise.resolve(['127.0.0.1']),
    isAllowed: () => true,
    now: () => 0,
    ca: tls.cert,
    port,
  })
  const delivery = service.deliver({ endpoint: 'https://localhost/push', headers: {}, body: new Uint8Array([1]) })
  while (Atomics.load(flags, RECEIVED) === 0) await new Promise((resolve) => setImmediate(resolve))
  await new Promise<void>((resolve) => {
    setImmediate(() => {
      Atomics.store(flags, GO_ON, 1)
      Atomics.notify(flags, GO_ON)
      Atomics.wait(flags, ANSWERED, 0, 10_000)
      vi.advanceTimersByTime(15_000)
      resolve()
    })
  })
  expect(await delivery).toMatchObject({ kind: 'answered', status: 201 })
  await worker.terminate()
})

it('a long answer is cut off, and a short one is not', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bakter-push-'))
  const files = writeCertificate(folder, { name: 'localhost', days: 2 })
  const tls = { key: readFileSync(files.key, 'utf8'), cert: readFileSync(files.certificate, 'utf8') }
  rmSync(folder, { recursive: true })
  const sent: Promise<string>[] = []
  const server = createServer(tls, (request, response) => {
    request.resume()
    response.writeHead(201)
    // The long one is far more than sockets take by themselves.
    const pieces = Array.from({ length: request.url === '/short' ? 1 : 4_096 }, () => Buffer.alloc(10_000))
    const done = pipeline(Readable.from(pieces), response)
    sent.push(
      done.then(
        () => 'whole',
        () => 'cut',
      ),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const service = httpsPushService({
    resolve: () => Promise.resolve(['127.0.0.1']),
    isAllowed: () => true,
    now: () => 0,
    ca: tls.cert,
    port: (server.address() as AddressInfo).port,
  })
  for (const path of ['short', 'long']) {
    const push = { endpoint: `https://localhost/${path}`, headers: {}, body: new Uint8Array([1]) }
    expect(await service.deliver(push)).toMatchObject({ kind: 'answered', status: 201 })
  }
  expect(await Promise.all(sent)).toEqual(['whole', 'cut'])
  server.close()
})
