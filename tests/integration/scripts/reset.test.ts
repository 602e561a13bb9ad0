import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import { takeDataFolder } from '../../../scripts/start/data-folder.mjs'
import { temporaryFolder } from '../../support/temporary-folder.ts'

function dataFolder() {
  const folder = join(temporaryFolder(), 'data')
  mkdirSync(join(folder, 'agent/servers'), { recursive: true })
  for (const name of ['secrets.json', 'agent/servers/state.json']) writeFileSync(join(folder, name), '{}')
  return folder
}

/** `npm run reset` with this answer; nobody is at a terminal. */
function reset(folder: string, answer: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [resolve('scripts/reset.mjs'), ...args], {
    encoding: 'utf8',
    input: answer,
    env: { ...process.env, BAKTER_DATA: folder, BAKTER_MODE: '', DATABASE_URL: '', REDIS_URL: '' },
  })
  return { status, said: `${stdout}${stderr}` }
}

test.each(['', 'no\n', 'y\n', 'YES\n'])('the answer %j deletes nothing', (answer) => {
  const folder = dataFolder()
  const { status, said } = reset(folder, answer)
  expect(said).toContain(`Delete ${folder} with all accounts, money and game servers? Type yes:`)
  expect({ status, isKept: existsSync(join(folder, 'agent/servers/state.json')) }).toEqual({ status: 1, isKept: true })
})

test.each([
  ['yes', 'yes\n', []],
  ['--yes', '', ['--yes']],
])('%s deletes the folder', (_, answer, args) => {
  const folder = dataFolder()
  const { status, said } = reset(folder, answer, ...args)
  expect(status).toBe(0)
  expect(said).toContain(`${folder} is deleted.`)
  expect(existsSync(folder)).toBe(false)
})

test('a folder in use is kept, and so is one that holds other things', () => {
  const folder = dataFolder()
  const release = takeDataFolder(folder)
  onTestFinished(release)
  expect(reset(folder, '', '--yes')).toEqual({
    status: 1,
    said: `Process ${process.pid} runs Bakter in ${folder}: stop it first.\n`,
  })
  const foreign = temporaryFolder()
  writeFileSync(join(foreign, 'thesis.odt'), '')
  expect(reset(foreign, '', '--yes')).toEqual({ status: 1, said: `${foreign} was not made by npm start; it stays.\n` })
  expect(readdirSync(foreign)).toEqual(['thesis.odt'])
})

/** A process that waits, with this argument, environment and folder; it ends with the test. */
function bystander({ argument = '', env = {}, cwd = '/' }: { argument?: string; env?: object; cwd?: string }) {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', argument], {
    cwd,
    env: { ...process.env, BAKTER_DATA: '', BAKTER_SUPERVISED: '', ...env },
    stdio: 'ignore',
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child.pid ?? 0
}

test('survivors of a killed supervisor keep the folder: its programs, its game servers and their shims', () => {
  const byProgram = dataFolder()
  const program = bystander({ env: { BAKTER_DATA: byProgram, BAKTER_SUPERVISED: '1' } })
  expect(reset(byProgram, '', '--yes')).toEqual({
    status: 1,
    said: `Process ${program} still runs in ${byProgram}: it ends by itself, within two minutes, because its npm start was killed.\n`,
  })
  const outlived = (folder: string, pid: number) => ({
    status: 1,
    said: `Process ${pid}, a game server in ${folder}, has outlived its agent: npm start takes it over, and Ctrl-C ends it.\n`,
  })
  const byShim = dataFolder()
  const shim = bystander({ argument: join(byShim, 'agent/servers/acdefghj/state/task') })
  expect(reset(byShim, '', '--yes')).toEqual(outlived(byShim, shim))
  const byServer = dataFolder()
  mkdirSync(join(byServer, 'agent/servers/acdefghj/root'), { recursive: true })
  const server = bystander({ env: { BAKTER_TASK: 'x' }, cwd: join(byServer, 'agent/servers/acdefghj/root') })
  expect(reset(byServer, '', '--yes')).toEqual(outlived(byServer, server))
  for (const folder of [byProgram, byShim, byServer]) expect(existsSync(join(folder, 'secrets.json'))).toBe(true)
})

test("a user's shell in the folder does not keep it", () => {
  const folder = dataFolder()
  bystander({ env: { BAKTER_DATA: folder }, cwd: join(folder, 'agent/servers') })
  expect(reset(folder, '', '--yes').status).toBe(0)
  expect(existsSync(folder)).toBe(false)
})

test("a user's own database is kept, and the question says so", () => {
  const folder = dataFolder()
  writeFileSync(join(folder, 'state.json'), JSON.stringify({ database: '127.0.0.1:5432/bakter' }))
  expect(reset(folder, 'no\n').said).toContain(
    `Its database, 127.0.0.1:5432/bakter, stays as it is: empty it before another start uses it. Type yes:`,
  )
})

test('a folder with damaged files is deleted all the same', () => {
  const folder = dataFolder()
  for (const name of ['secrets.json', 'state.json', 'supervisor.pid']) writeFileSync(join(folder, name), '{"cut')
  expect(reset(folder, '', '--yes').status).toBe(0)
  expect(existsSync(folder)).toBe(false)
})
