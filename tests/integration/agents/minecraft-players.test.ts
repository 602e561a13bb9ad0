import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { QueryProcess } from '../../../agents/players/query-process.ts'
import type { Bundles } from '../../../agents/platform/bundles.ts'
import { bundleForTest, scratchFolder } from '../../support/agent-bundles.ts'
import { askGamedig, MINECRAFT_QUERY } from '../../support/gamedig-answer.ts'
import { joinMinecraft } from '../../support/minecraft-player.ts'

const ip = '127.0.0.1'
const scratch = scratchFolder()
let bundles: Bundles
let queries: QueryProcess
let game: ChildProcess | undefined
let port: number

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, ip, () => {
      const { port: free } = server.address() as AddressInfo
      server.close(() => resolve(free))
    })
  })

const program = (name: string, env: Readonly<Record<string, string>> = {}): ChildProcess =>
  spawn(process.execPath, [bundles.programs.get(name) ?? ''], {
    cwd: path.join(scratch.path, 'game'),
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  })

beforeAll(async () => {
  mkdirSync(path.join(scratch.path, 'game'), { mode: 0o755 })
  bundles = await bundleForTest(path.join(scratch.path, 'agent'))
  queries = new QueryProcess(bundles.playerQueries)
  const installs = program('flying-squid-install')
  await new Promise<void>((resolve, reject) => {
    installs.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`The installation ended with ${code}.`)),
    )
  })
  port = await freePort()
  game = program('flying-squid', { SERVER_IP: ip, SERVER_PORT: String(port), MAX_PLAYERS: '12' })
  const { stdout } = game
  await new Promise<void>((resolve) => {
    stdout?.on('data', (text: Buffer) => {
      if (text.toString().includes('Done (')) resolve()
    })
  })
}, 480_000)
afterAll(() => {
  game?.kill('SIGKILL')
  queries.close()
  scratch.remove()
})

const directly = async () => {
  const { online, max, names } = await askGamedig(port)
  return { online, max, names }
}
const seen = async () => (await queries.ask({ type: MINECRAFT_QUERY, ip, port })).players

it('counts and names the players of a real game as gamedig does, and nobody after they have left', async () => {
  expect(await seen()).toEqual({ state: 'answered', online: 0, max: 12, names: [] })
  const alex = await joinMinecraft(port, 'Alex')
  const panni = await joinMinecraft(port, 'Panni')
  const answer = await seen()
  expect(answer).toEqual({ state: 'answered', online: 2, max: 12, names: ['Alex', 'Panni'] })
  expect(answer).toMatchObject(await directly())
  alex.leave()
  panni.leave()
  await expect.poll(seen, { timeout: 45_000 }).toEqual({ state: 'answered', online: 0, max: 12, names: [] })
  expect((await directly()).online).toBe(0)
})
