// Needs a process of its own: it changes the working folder and the exit code.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, it, vi } from 'vitest'

const run = vi.hoisted(() => ({ calls: [] as string[][], exitCode: 0 }))
vi.mock('../../../../../agents/servers/programs/run-npm.ts', () => ({
  runNpm: (args: string[]) => {
    run.calls.push(args)
    return Promise.resolve(run.exitCode)
  },
}))

const before = process.cwd()
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bakter-nodejs-'))
  process.chdir(folder)
  run.calls = []
  run.exitCode = 0
  vi.spyOn(console, 'log').mockImplementation(() => {})
})
afterEach(() => {
  process.chdir(before)
  rmSync(folder, { recursive: true, force: true })
  process.exitCode = undefined
  vi.unstubAllEnvs()
})

const install = async (): Promise<void> => {
  vi.resetModules()
  await import('../../../../../agents/servers/programs/nodejs-install.ts')
}
const files = () => Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(name, 'utf8')]))

it('an empty folder gets a program and its manifest, and needs no package', async () => {
  await install()
  expect(Object.keys(files()).toSorted()).toEqual(['index.js', 'package.json'])
  expect(JSON.parse(files()['package.json'] ?? '')).toMatchObject({ main: 'index.js', type: 'module' })
  expect(files()['index.js']).toContain('The bot is ready')
  expect([run.calls, process.exitCode]).toEqual([[], 0])
})

it('a second installation leaves the customer’s files as they are', async () => {
  await install()
  writeFileSync('index.js', 'console.log("mine")\n')
  writeFileSync('package.json', '{"name":"mine","main":"index.js"}\n')
  writeFileSync('notes.txt', 'mine\n')
  const mine = files()
  await install()
  expect(files()).toEqual(mine)
})

it('a customer’s main file of another name gets no program beside it', async () => {
  vi.stubEnv('MAIN_FILE', 'bot.mjs')
  writeFileSync('bot.mjs', 'mine\n')
  await install()
  expect(files()['bot.mjs']).toBe('mine\n')
  expect(existsSync('index.js')).toBe(false)
})

it.each(['../outside.js', 'src/bot.js', 'start.sh', '-e.js '])('no program is written to %j', async (name) => {
  vi.stubEnv('MAIN_FILE', name)
  await install()
  expect(readdirSync(folder)).toEqual(['package.json'])
  expect(existsSync(join(folder, name))).toBe(false)
})

it.each([0, 1])(
  'locked packages are installed as locked, and the exit code %i of npm is the installation’s',
  async (code) => {
    run.exitCode = code
    writeFileSync('package-lock.json', '{}')
    await install()
    expect(run.calls).toEqual([['ci', '--omit=dev']])
    expect(process.exitCode).toBe(code)
  },
)
