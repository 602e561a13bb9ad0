import { statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { expect, onTestFinished, test } from 'vitest'

import { checkPlatform } from '../../../../scripts/start/platform.mjs'
import { checkDisk, checkPorts, needsInstall } from '../../../../scripts/start/preflight.mjs'
import { freePorts } from '../../../support/free-port.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const THIS_FILE = fileURLToPath(import.meta.url)
const machine = { node: '20.19.0', platform: 'linux', arch: 'x64', glibc: '2.36' }

test.each([
  ['the oldest Node', {}, undefined],
  ['arm64', { arch: 'arm64', node: '24.1.0' }, undefined],
  ['an old minor version', { node: '20.18.3' }, 'Bakter needs Node 20.19 or newer; this is Node 20.18.3.'],
  ['an old major version', { node: '18.20.1' }, 'Bakter needs Node 20.19 or newer; this is Node 18.20.1.'],
  [
    'another system',
    { platform: 'darwin', arch: 'arm64', glibc: undefined },
    'Bakter runs on Linux x64 or arm64 with glibc; this is darwin arm64.',
  ],
  ['another processor', { arch: 'riscv64' }, 'Bakter runs on Linux x64 or arm64 with glibc; this is linux riscv64.'],
  [
    'another C library',
    { glibc: undefined },
    'Bakter runs on Linux x64 or arm64 with glibc; this is linux x64 without glibc.',
  ],
])('platform: %s', (_, change, sentence) => {
  expect(checkPlatform({ ...machine, ...change })).toBe(sentence)
})

test('a taken port is named with its variable', async () => {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  await expect(checkPorts({ AGENT_PORT: port }, '127.0.0.1')).rejects.toMatchObject({
    sentence: `Port ${port} is taken by another program: stop it, or set AGENT_PORT to a free port.`,
  })
})

test('a private port is looked for on the loopback, wherever the public listeners are', async () => {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  await expect(checkPorts({ PORT: port }, '127.0.0.2')).resolves.toBeUndefined()
  for (const name of ['SITE_HEALTH_PORT', 'CONTROL_PLANE_INTERNAL_PORT', 'AGENT_HEALTH_PORT']) {
    await expect(checkPorts({ [name]: port }, '127.0.0.2')).rejects.toThrow(`Port ${port} is taken by another program`)
  }
})

test('two variables with one port are refused, different free ones are not', async () => {
  const [first = 0, second = 0] = await freePorts(2)
  await expect(checkPorts({ PORT: first, AGENT_PORT: second }, '127.0.0.1')).resolves.toBeUndefined()
  await expect(checkPorts({ PORT: first, AGENT_PORT: first }, '127.0.0.1')).rejects.toMatchObject({
    sentence: `PORT and AGENT_PORT are both ${first}: give each a port of its own.`,
  })
})

test('a full disk is refused in one sentence', () => {
  const folder = temporaryFolder()
  expect(() => checkDisk(folder, 2 ** 29)).toThrow(`Only 0.5 GiB are free below ${folder}; Bakter needs 1 GiB there.`)
  expect(() => checkDisk(folder, 2 ** 33)).not.toThrow()
})

test.each([
  ['/proc/bakter/data', 'it cannot be made there'],
  [THIS_FILE, 'it is a file'],
  [`${THIS_FILE}/data`, 'a part of its path is a file'],
])('a data folder that cannot be made is refused: %s', (folder, why) => {
  expect(() => checkDisk(folder)).toThrow(
    `The data folder ${folder} cannot be used: ${why}. BAKTER_DATA chooses another one.`,
  )
})

test('a data folder is made with what is missing above it', () => {
  const folder = join(temporaryFolder(), 'a/b/c')
  checkDisk(folder)
  expect(statSync(folder).isDirectory()).toBe(true)
})

test('packages are installed when they are missing, and when the lock file names another version', () => {
  const folder = temporaryFolder()
  const write = (name: string, packages: unknown) => {
    writeFileSync(join(folder, name), JSON.stringify({ packages }))
    return join(folder, name)
  }
  const lock = write('lock.json', {
    '': { version: '1.0.0' },
    'node_modules/a': { version: '1.0.0' },
    'node_modules/only-elsewhere': { version: '1.0.0', optional: true },
  })
  expect(needsInstall(lock, join(folder, 'nothing.json'))).toBe(true)
  expect(needsInstall(lock, write('same.json', { 'node_modules/a': { version: '1.0.0' } }))).toBe(false)
  expect(needsInstall(lock, write('old.json', { 'node_modules/a': { version: '0.9.0' } }))).toBe(true)
  expect(needsInstall(lock, write('empty.json', {}))).toBe(true)
  writeFileSync(join(folder, 'cut-off.json'), '{"packages": {"node_modules/a"')
  expect(needsInstall(lock, join(folder, 'cut-off.json'))).toBe(true)
})
