import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { QueryProcess } from '../../../agents/players/query-process.ts'
import type { Bundles } from '../../../agents/platform/bundles.ts'
import { bundleForTest, scratchFolder } from '../../support/agent-bundles.ts'
import { freePort } from '../../support/free-port.ts'
import { askGamedig, MINECRAFT_QUERY } from '../../support/gamedig-answer.ts'
import { joinMinecraft } from '../../support/minecraft-player.ts'

const ip = '127.0.0.1'
const scratch = scratchFolder()
let bundles: Bundles
let queries: QueryProcess
let game: ChildProcess | undefined
let port: number

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
// A game has two seconds to answer, and a busy machine may stand still for so long: then it is asked again.
const WITHIN = { timeout: 60_000 }
const seen = async () => (await queries.ask({ type: MINECRAFT_QUERY, ip, port })).players

it('counts and names the players of a real game as gamedig does, and nobody after they have left', async () => {
  await expect.poll(seen, WITHIN).toEqual({ state: 'answered', online: 0, max: 12, names: [] })
  const alex = await joinMinecraft(port, 'Alex')
  const panni = await joinMinecraft(port, 'Panni')
  const both = { online: 2, max: 12, names: ['Alex', 'Panni'] }
  await expect.poll(seen, WITHIN).toEqual({ state: 'answered', ...both })
  await expect.poll(directly, WITHIN).toEqual(both)
  alex.leave()
  panni.leave()
  await expect.poll(seen, WITHIN).toEqual({ state: 'answered', online: 0, max: 12, names: [] })
  await expect.poll(directly, WITHIN).toMatchObject({ online: 0 })
}, 400_000)
