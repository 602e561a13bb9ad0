import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { RegistryCache } from '../../../agents/npm/registry-cache.ts'
import { httpUpstream } from '../../../agents/npm/upstream.ts'
import { npmCommand } from '../../../agents/platform/bundles.ts'
import { realDisk } from '../../../agents/platform/disk.ts'
import { silentLog } from '#platform/logger.ts'
import { ManualClock } from '../../setup/manual-clock.ts'
import { scratchFolder } from '../../support/agent-bundles.ts'
import { freePort } from '../../support/free-port.ts'
import { waitFor } from '../../support/wait-for.ts'

const run = promisify(execFile)
let scratch: ReturnType<typeof scratchFolder>
let clock: ManualClock
let upstream: Server
let registry: string
let asked: string[]
let isDown: boolean
let cache: RegistryCache
const tarballs = new Map<string, Buffer>()
const tampered = new Set<string>()

/** A small registry with packages made on the spot. */
const packageOf = async (name: string): Promise<void> => {
  const folder = path.join(scratch.path, `make-${name}`, 'package')
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name, version: '1.0.0', main: 'index.js' }))
  writeFileSync(path.join(folder, 'index.js'), `module.exports = ${JSON.stringify(`${name} as it was published`)}\n`)
  const file = path.join(scratch.path, `${name}.tgz`)
  await run('tar', ['-czf', file, '-C', path.dirname(folder), 'package'])
  tarballs.set(name, readFileSync(file))
}

const describePackage = (name: string, bytes: Buffer): object => {
  const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`
  const dist = { tarball: `${registry}/${name}/-/${name}-1.0.0.tgz`, integrity }
  return { name, 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': { name, version: '1.0.0', dist } } }
}

beforeEach(async () => {
  scratch = scratchFolder()
  chmodSync(scratch.path, 0o755)
  clock = new ManualClock()
  asked = []
  isDown = false
  tampered.clear()
  for (const name of ['left', 'right']) await packageOf(name)
  upstream = createServer((request, response) => {
    const url = request.url ?? ''
    asked.push(url)
    const [, name = '', isFile] = /^\/(\w+)(\/-\/.*)?$/.exec(url) ?? []
    const bytes = tarballs.get(name)
    if (isDown || bytes === undefined) return void response.writeHead(isDown ? 503 : 404).end()
    if (isFile !== undefined) return void response.end(tampered.has(name) ? Buffer.from('something else') : bytes)
    response.setHeader('etag', `"${name}"`)
    if (request.headers['if-none-match'] === `"${name}"`) return void response.writeHead(304).end()
    response.end(JSON.stringify(describePackage(name, bytes)))
  })
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
  registry = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`
  cache = newCache()
  // A port that the kernel gives to no connection: a cache is closed here for a moment, and opened on it again.
  mkdirSync(path.join(scratch.path, 'npm'), { recursive: true })
  writeFileSync(path.join(scratch.path, 'npm/port'), String(await freePort()))
  await cache.open('127.0.0.1')
})
afterEach(async () => {
  cache.close()
  await new Promise((resolve) => upstream.close(resolve))
  scratch.remove()
})

const newCache = (limits?: { maxFileBytes: number; maxTotalBytes: number }, maxPackumentBytes = 1_000_000) =>
  new RegistryCache({
    folder: path.join(scratch.path, 'npm'),
    registry,
    upstream: httpUpstream(undefined),
    clock,
    disk: realDisk,
    log: silentLog,
    packumentLimits: { maxBytes: maxPackumentBytes, maxTotalBytes: 10_000_000, maxCount: 100 },
    ...(limits === undefined ? {} : { limits }),
  })
const get = (file: string, init: RequestInit = {}) => fetch(`${cache.url}${file}`, init)
const stored = () => readdirSync(path.join(scratch.path, 'npm/content'))
const filesAsked = () => asked.filter((url) => url.endsWith('.tgz'))

/** The work of an installation program: npm, with a folder and a user of the server's own. */
const install = async (customer: string, uid: number): Promise<string> => {
  const root = path.join(scratch.path, customer)
  const own = path.join(scratch.path, `${customer}-npm`)
  for (const folder of [root, own]) {
    mkdirSync(folder, { recursive: true })
    chownSync(folder, uid, uid)
  }
  writeFileSync(path.join(root, 'package.json'), JSON.stringify({ name: 'app', dependencies: { left: '1.0.0' } }))
  chownSync(path.join(root, 'package.json'), uid, uid)
  const [command = '', ...args] = npmCommand()
  await run(command, [...args, 'install', '--no-audit', '--no-fund', '--ignore-scripts'], {
    cwd: root,
    uid,
    gid: uid,
    env: {
      ...process.env,
      HOME: root,
      npm_config_cache: own,
      npm_config_registry: cache.url,
      npm_config_omit_lockfile_registry_resolved: 'true',
    },
  })
  expect(readFileSync(path.join(root, 'package-lock.json'), 'utf8')).not.toContain('127.0.0.1')
  return readFileSync(path.join(root, 'node_modules/left/index.js'), 'utf8')
}

describe('the npm cache of a node', () => {
  it('refuses a description beyond the bound and keeps nothing of it: S15', async () => {
    cache.close()
    cache = newCache(undefined, 200)
    await cache.open('127.0.0.1')
    const answer = await get('/left')
    expect([answer.status, await answer.text()]).toEqual([502, expect.stringContaining('description is too large')])
    expect(readdirSync(path.join(scratch.path, 'npm/packuments'))).toEqual([])
  })

  it('fetches a package once for all customers, each with a separate user', async () => {
    expect(await install('alice', 210_001)).toContain('left as it was published')
    expect(await install('bob', 210_002)).toContain('left as it was published')
    expect(filesAsked()).toHaveLength(1)
    expect(statSync(path.join(scratch.path, 'npm/content')).mode & 0o077).toBe(0)
  })

  it('accepts nothing from installers: it cannot be written to, and serves only packages', async () => {
    for (const method of ['PUT', 'POST', 'DELETE', 'PATCH'])
      expect((await get('/left', { method, ...(method === 'DELETE' ? {} : { body: '{}' }) })).status).toBe(405)
    for (const file of ['/..%2f..%2fport', '/-/v1/search', '/left/-/..%2f..%2fport', '/%00', '/left/-/../port', '/%ff'])
      expect((await get(file)).status, file).toBe(404)
    expect(stored()).toEqual([])
  })

  it("stores nothing whose digest differs from the registry's, and serves the right one later", async () => {
    tampered.add('left')
    expect((await get('/left/-/left-1.0.0.tgz')).status).toBe(502)
    expect(stored()).toEqual([])
    tampered.clear()
    const bytes = Buffer.from(await (await get('/left/-/left-1.0.0.tgz')).arrayBuffer())
    expect(bytes.equals(tarballs.get('left') ?? Buffer.alloc(0))).toBe(true)
  })

  it('sends one request for many that arrive at once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => get('/left/-/left-1.0.0.tgz')))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    for (const response of answers) await response.arrayBuffer()
    expect(asked).toEqual(['/left', '/left/-/left-1.0.0.tgz'])
  })

  it('revalidates after five minutes, and serves its last copy while the registry is down', async () => {
    await (await get('/left')).text()
    clock.advance(5 * 60_000)
    await (await get('/left')).text()
    expect(asked).toEqual(['/left', '/left'])
    isDown = true
    clock.advance(5 * 60_000)
    expect((await get('/left')).status).toBe(200)
    expect((await get('/right')).status).toBe(502)
    isDown = false
    expect((await get('/nothing')).status).toBe(404)
  })

  it('keeps its address and its contents for an installation that outlived the agent', async () => {
    await (await get('/left/-/left-1.0.0.tgz')).arrayBuffer()
    const before = cache.url
    cache.close()
    writeFileSync(path.join(scratch.path, 'npm/content/.tmp-9'), 'half a package')
    cache = newCache()
    await cache.open('127.0.0.1')
    expect(cache.url).toBe(before)
    // The test's own client may still hold a connection to the agent before.
    const found = await waitFor('an answer', () => get('/left/-/left-1.0.0.tgz'))
    expect(found.status).toBe(200)
    expect(filesAsked()).toHaveLength(1)
    expect(existsSync(path.join(scratch.path, 'npm/content/.tmp-9'))).toBe(false)
  })

  it('stores its listening address at its first start', async () => {
    cache.close()
    rmSync(path.join(scratch.path, 'npm/port'))
    cache = newCache()
    await cache.open('127.0.0.1')
    expect(cache.port).toBeGreaterThan(0)
    expect(readFileSync(path.join(scratch.path, 'npm/port'), 'utf8')).toBe(String(cache.port))
  })

  it('is bounded: the least recently used package is removed first, and one over the limit is refused', async () => {
    cache.close()
    const size = Math.max(...[...tarballs.values()].map(({ length }) => length))
    cache = newCache({ maxFileBytes: size, maxTotalBytes: size + 10 })
    await cache.open('127.0.0.1')
    await (await get('/left/-/left-1.0.0.tgz')).arrayBuffer()
    clock.advance(1_000)
    await (await get('/right/-/right-1.0.0.tgz')).arrayBuffer()
    expect(stored()).toHaveLength(1)
    cache.close()
    cache = newCache({ maxFileBytes: 10, maxTotalBytes: 1_000_000 })
    await cache.open('127.0.0.1')
    const refused = await waitFor('an answer', () => get('/left/-/left-1.0.0.tgz'))
    expect(refused.status).toBe(502)
  })
})
