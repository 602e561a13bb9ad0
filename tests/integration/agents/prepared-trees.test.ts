import { createHash } from 'node:crypto'
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentLog } from '#platform/logger.ts'
import { RegistryCache } from '../../../agents/npm/registry-cache.ts'
import type { Tree } from '../../../agents/npm/trees/tree-catalog.ts'
import { httpUpstream } from '../../../agents/npm/upstream.ts'
import { realDisk } from '../../../agents/platform/disk.ts'
import { unpackTree } from '../../../agents/servers/programs/unpack-tree.ts'
import { ManualClock } from '../../setup/manual-clock.ts'
import { scratchFolder } from '../../support/agent-bundles.ts'

const run = promisify(execFile)
let scratch: ReturnType<typeof scratchFolder>
let upstream: Server
let registry: string
let asked: string[]
let cache: RegistryCache
let tree: Tree
const tarballs = new Map<string, Buffer>()
const before = process.cwd()

/** A package as it was published, with a file that the tree leaves out, and with a link. */
async function publish(name: string): Promise<string> {
  const folder = path.join(scratch.path, `make-${name.replace('/', '-')}`, 'package')
  mkdirSync(path.join(folder, 'other'), { recursive: true })
  writeFileSync(path.join(folder, 'index.js'), `module.exports = '${name}'\n`)
  for (const each of ['other/1.json', 'other/common.json']) writeFileSync(path.join(folder, each), '{}')
  await run('ln', ['-s', '/etc/passwd', path.join(folder, 'link')])
  const file = path.join(scratch.path, `${name.replace('/', '-')}.tgz`)
  await run('tar', ['-czf', file, '-C', path.dirname(folder), 'package'])
  const bytes = readFileSync(file)
  tarballs.set(`/${name}/-/${name.slice(name.indexOf('/') + 1)}-1.0.0.tgz`, bytes)
  return `sha512-${createHash('sha512').update(bytes).digest('base64')}`
}

const treesFolder = () => path.join(scratch.path, 'npm/trees')
const newCache = async () => {
  const opened = new RegistryCache({
    folder: path.join(scratch.path, 'npm'),
    registry,
    upstream: httpUpstream(undefined),
    clock: new ManualClock(),
    disk: realDisk,
    log: silentLog,
    trees: new Map([['game', tree]]),
  })
  await opened.open('127.0.0.1')
  return opened
}

beforeEach(async () => {
  scratch = scratchFolder()
  asked = []
  tarballs.clear()
  const [left, right] = [await publish('left'), await publish('@scope/right')]
  tree = {
    packages: [
      { folder: 'node_modules/left', name: 'left', version: '1.0.0', integrity: left },
      {
        folder: 'node_modules/left/node_modules/@scope/right',
        name: '@scope/right',
        version: '1.0.0',
        integrity: right,
      },
    ],
    leftOut: /^node_modules\/left\/other\/\d/,
  }
  upstream = createServer((request, response) => {
    asked.push(request.url ?? '')
    const bytes = tarballs.get(request.url ?? '')
    response.writeHead(bytes === undefined ? 404 : 200).end(bytes)
  })
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
  registry = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`
  cache = await newCache()
  mkdirSync(path.join(scratch.path, 'server'))
  process.chdir(path.join(scratch.path, 'server'))
  process.env['npm_config_registry'] = cache.url
})
afterEach(async () => {
  process.chdir(before)
  delete process.env['npm_config_registry']
  cache.close()
  await new Promise((resolve) => upstream.close(resolve))
  scratch.remove()
})

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort()

const UNPACKED = [
  'left/index.js',
  'left/node_modules/@scope/right/index.js',
  'left/node_modules/@scope/right/other/1.json',
  'left/node_modules/@scope/right/other/common.json',
  'left/other/common.json',
]

describe("the node's prepared copy of an installer's packages", () => {
  it('is unpacked in place of earlier packages, without links and without the files that are left out', async () => {
    mkdirSync('node_modules/earlier', { recursive: true })
    expect(await unpackTree('game')).toBe(true)
    expect(filesBelow('node_modules')).toEqual(UNPACKED)
    expect(readFileSync('node_modules/left/node_modules/@scope/right/index.js', 'utf8')).toContain('@scope/right')
  })

  it('is fetched once, and made by one for all who wait; another agent finds it', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => fetch(`${cache.url}/-/tree/game`)))
    const bodies = await Promise.all(answers.map(async (each) => Buffer.from(await each.arrayBuffer()).toString('hex')))
    expect(new Set(bodies).size).toBe(1)
    expect(asked.toSorted()).toEqual([...tarballs.keys()].toSorted())
    cache.close()
    await new Promise((resolve) => upstream.close(resolve))
    cache = await newCache()
    process.env['npm_config_registry'] = cache.url
    expect(await unpackTree('game')).toBe(true)
    expect(filesBelow('node_modules')).toEqual(UNPACKED)
  })

  it("belongs to nobody's server: a change in one folder changes neither the copy nor another server", async () => {
    await unpackTree('game')
    writeFileSync('node_modules/left/index.js', 'poisoned')
    expect(statSync('node_modules/left/index.js').nlink).toBe(1)
    mkdirSync('../another')
    process.chdir('../another')
    await unpackTree('game')
    expect(readFileSync('node_modules/left/index.js', 'utf8')).toContain("'left'")
  })

  it('is not made of a tarball with another digest, and nothing is left of the attempt', async () => {
    const published = tarballs.get('/left/-/left-1.0.0.tgz') ?? Buffer.alloc(0)
    tarballs.set('/left/-/left-1.0.0.tgz', Buffer.from('something else'))
    expect((await fetch(`${cache.url}/-/tree/game`)).status).toBe(502)
    expect(readdirSync(treesFolder())).toEqual([])
    tarballs.set('/left/-/left-1.0.0.tgz', published)
    expect((await fetch(`${cache.url}/-/tree/game`)).status).toBe(200)
  })

  it('is made anew after an agent that was killed while it made one, and those of older agents go', async () => {
    cache.close()
    for (const name of ['game-0000000000000000.tar', 'game-1.tar.partial'])
      writeFileSync(path.join(treesFolder(), name), 'x')
    mkdirSync(path.join(treesFolder(), 'game-1.tar.unpacked'))
    cache = await newCache()
    expect(readdirSync(treesFolder())).toEqual([])
  })

  it('is not there for another name: npm installs those', async () => {
    expect(await unpackTree('unknown')).toBe(false)
    expect(existsSync('node_modules')).toBe(false)
  })
})
