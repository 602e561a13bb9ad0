import fs from 'node:fs'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import path from 'node:path'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'

import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'

import type { FileJob } from '#contracts/panel/file-jobs.ts'
import { WRAPPINGS } from '../../support/archives.ts'
import { FilesRig } from '../../support/files-rig.ts'
import { waitFor } from '../../support/wait-for.ts'
import { WebSource } from '../../support/web-source.ts'

const HOST = '127.0.0.1'
const BOMB = Buffer.alloc(64 * 1024 * 1024)
const MIB = 1024 * 1024

let files: FilesRig
let source: WebSource
beforeAll(async () => {
  files = await FilesRig.open()
  source = await WebSource.open(HOST)
})
afterAll(async () => {
  await files.close()
  await source.close()
})
beforeEach(() => {
  files.clear()
  files.usage = { bytes: 0, ownBytes: 0 }
  source.requests.length = 0
  Object.assign(files.network, {
    resolve: () => Promise.resolve([HOST]),
    isAllowed: () => true,
    headMs: 60_000,
    stalledMs: 60_000,
    slow: { leastBytes: 1, windowMs: 600_000 },
  })
})

const addressOf = (target: string, port = source.port): string => `http://web.test:${port}${target}`
const pull = (address: string): Promise<FileJob> => files.job('pull', { address, folder: '' })
const nothingIsLeft = async (): Promise<void> => {
  await waitFor('its part to go', () => fs.readdirSync(path.join(files.area, 'parts')).length === 0)
  expect(files.tree()).toEqual([])
}

describe('case 108: a source that sends a bomb', () => {
  it.each([
    ['gzip', gzipSync(BOMB)],
    ['deflate', deflateSync(BOMB)],
    ['br', brotliCompressSync(BOMB)],
    ['zstd', WRAPPINGS['tar.zst'](BOMB)],
    ['gzip, gzip', gzipSync(gzipSync(BOMB))],
  ])('as %s content: the bytes are stored as they come, and nothing unpacks them', async (encoding, bytes) => {
    // Room for what is sent, and for nothing else.
    files.usage = { bytes: files.limitBytes - MIB, ownBytes: 0 }
    source.send(bytes, { 'content-encoding': encoding, 'content-length': String(bytes.length) })
    expect(await pull(addressOf('/world.zip'))).toMatchObject({ state: 'done', done: bytes.length })
    expect(fs.readFileSync(path.join(files.root, 'world.zip')).equals(bytes)).toBe(true)
  })

  it('endless pieces without a length end at the storage, and nothing is left', async () => {
    files.usage = { bytes: files.limitBytes - MIB, ownBytes: 0 }
    let isCut = false
    source.answer = (_request, response) => {
      response.once('close', () => (isCut = true))
      response.writeHead(200)
      const piece = Buffer.alloc(64 * 1024, 'x')
      const send = (): void => {
        if (!isCut) response.write(piece, () => setImmediate(send))
      }
      send()
    }
    expect(await pull(addressOf('/endless'))).toMatchObject({ state: 'failed', refusal: 'NO_SPACE' })
    await waitFor('the source to be cut', () => isCut)
    await nothingIsLeft()
  })
})

describe('case 108: a source that trickles', () => {
  /** One byte now and then, without end: it never stalls. */
  const trickle = (): { isCut(): boolean } => {
    let isCut = false
    source.answer = ({ url }, response) => {
      if (url !== '/trickle') return void response.writeHead(200).end('quick')
      response.writeHead(200)
      const sending = setInterval(() => response.write('x'), 20)
      response.once('close', () => {
        isCut = true
        clearInterval(sending)
      })
      return undefined
    }
    return { isCut: () => isCut }
  }

  it('its content gives its place to the next one, and nothing is left', async () => {
    const { isCut } = trickle()
    Object.assign(files.network, { slow: { leastBytes: 64 * 1024, windowMs: 500 } })
    const slow = pull(addressOf('/trickle'))
    await waitFor('the source to be asked', () => source.requests.length === 1)
    const next = pull(addressOf('/next'))
    expect(await slow).toMatchObject({ state: 'failed', refusal: 'SOURCE_FAILED' })
    expect(await next).toMatchObject({ state: 'done', path: 'next' })
    expect([isCut(), files.tree()]).toEqual([true, ['next']])
  })

  it('its content for longer than any job may last is ended', async () => {
    const { isCut } = trickle()
    files.lastMs = 500
    await files.openDoor()
    try {
      expect(await pull(addressOf('/trickle'))).toMatchObject({ state: 'cancelled' })
      await waitFor('the source to be cut', isCut)
      await nothingIsLeft()
    } finally {
      files.lastMs = 3_600_000
      await files.openDoor()
    }
  })

  it('its head is given up', async () => {
    const sockets: Socket[] = []
    const dripping = createServer((socket) => {
      sockets.push(socket.on('error', () => {}).resume())
      socket.write('HTTP/1.1 200 OK\r\n')
      const drip = setInterval(() => socket.write('x-drip: 1\r\n'), 20)
      socket.once('close', () => clearInterval(drip))
    })
    await new Promise<void>((resolve) => dripping.listen(0, HOST, resolve))
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy()
      dripping.close()
    })
    Object.assign(files.network, { headMs: 500 })
    const job = await pull(addressOf('/drip', (dripping.address() as AddressInfo).port))
    expect(job).toMatchObject({ state: 'failed', refusal: 'SOURCE_FAILED' })
    await waitFor('the connection to end', () => sockets.every(({ destroyed }) => destroyed))
    await nothingIsLeft()
  })
})

describe('case 108: redirects without end', () => {
  it.each<[string, (url: string) => string]>([
    ['to itself', (url) => url],
    ['in a circle', (url) => (url === '/a' ? '/b' : '/a')],
    ['to ever new addresses', (url) => `${url}x`],
    ['to ever other names', (url) => addressOf(url).replace('web.test', `web-${source.requests.length}.test`)],
  ])('%s are followed five times', async (_kind, next) => {
    source.redirect(next)
    expect(await pull(addressOf('/a'))).toMatchObject({ state: 'failed', refusal: 'SOURCE_FAILED' })
    expect(source.requests.length).toBe(6)
    await nothingIsLeft()
  })
})
