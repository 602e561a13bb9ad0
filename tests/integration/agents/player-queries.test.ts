import { createSocket } from 'node:dgram'
import { createServer as createHttp } from 'node:http'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { QueryProcess } from '../../../agents/players/query-process.ts'
import { bundleForTest, scratchFolder } from '../../support/agent-bundles.ts'
import { waitFor } from '../../support/wait-for.ts'

const MINECRAFT = 'protocol-minecraftvanilla'
const scratch = scratchFolder()
let program: string
let queries: QueryProcess
let open: Set<Socket>
let server: Server | undefined

beforeAll(async () => {
  program = (await bundleForTest(path.join(scratch.path, 'players'))).playerQueries
})
beforeEach(() => {
  queries = new QueryProcess(program)
  open = new Set()
})
afterEach(() => {
  queries.close()
  for (const socket of open) socket.destroy()
  server?.close()
  server = undefined
})
afterAll(() => scratch.remove())

/** A program of a customer at a port of the server, which answers whatever it likes. */
const gameThat = (behaves: (socket: Socket) => void): Promise<number> =>
  new Promise((resolve) => {
    const game = createServer((socket) => {
      open.add(socket)
      socket.on('error', () => {})
      behaves(socket)
    })
    server = game
    game.listen(0, '127.0.0.1', () => resolve((game.address() as AddressInfo).port))
  })

const varint = (value: number): Buffer => {
  const bytes: number[] = []
  let rest = value
  do {
    bytes.push((rest & 127) | (rest > 127 ? 128 : 0))
    rest >>>= 7
  } while (rest > 0)
  return Buffer.from(bytes)
}
const statusOf = (players: unknown): Buffer => {
  const json = Buffer.from(JSON.stringify({ version: { name: '1.21.4', protocol: 769 }, players }))
  const body = Buffer.concat([varint(0), varint(json.length), json])
  return Buffer.concat([varint(body.length), body])
}
const ask = async (port: number) => (await queries.ask({ type: MINECRAFT, ip: '127.0.0.1', port })).players
/** A game has two seconds to answer, and a busy machine may stand still for so long: then it is asked again, as every minute. */
const answered = (port: number) => waitFor('an answer', async () => (await ask(port)) ?? undefined)
const honest = {
  max: 20,
  online: 2,
  sample: [
    { name: 'Kovi77', id: 'x' },
    { name: 'Panni', id: 'y' },
  ],
}

it('reads count and names of a game', async () => {
  const port = await gameThat((socket) => socket.end(statusOf(honest)))
  expect(await answered(port)).toEqual({ state: 'answered', online: 2, max: 20, names: ['Kovi77', 'Panni'] })
})

it('reads an answer that comes in pieces', async () => {
  const bytes = statusOf(honest)
  const port = await gameThat((socket) => {
    for (const [index, at] of [0, 4, 20].entries()) {
      setTimeout(() => socket.write(bytes.subarray(at, [4, 20, bytes.length][index])), index * 100)
    }
  })
  expect(await answered(port)).toMatchObject({ online: 2, names: ['Kovi77', 'Panni'] })
})

it('bounds huge counts and ten thousand names', async () => {
  const sample = Array.from({ length: 10_000 }, (_, index) => ({ name: `\u202Ename\u0007 ${index}`, id: 'x' }))
  const port = await gameThat((socket) => socket.end(statusOf({ max: -1, online: 4e9, sample })))
  const answer = await answered(port)
  expect([answer.online, answer.max, answer.names.length, answer.names[0]]).toEqual([100_000, 0, 100, 'name 0'])
})

it.each([
  ['says nothing', () => {}],
  ['closes at once', (socket: Socket) => socket.destroy()],
  [
    'sends no packet of the game',
    (socket: Socket) => socket.end('HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/\r\n\r\n'),
  ],
  ['sends players that are none', (socket: Socket) => socket.end(statusOf(null))],
  [
    'drips a byte at a time',
    (socket: Socket) => {
      const bytes = statusOf(honest)
      let at = 0
      const timer = setInterval(() => socket.write(bytes.subarray(at, (at += 1))), 300)
      socket.on('close', () => clearInterval(timer))
    },
  ],
])(
  'takes a game that %s for a silent one, and comes to an end with it',
  async (_, behaves) => {
    const port = await gameThat(behaves)
    expect(await ask(port)).toBeNull()
  },
  120_000,
)

it('is not filled by a game that floods it, and asks the next one', async () => {
  const chunk = Buffer.alloc(1 << 20, 0xff)
  const port = await gameThat((socket) => {
    // The length of a packet that never ends.
    socket.write(Buffer.from([0xff, 0xff, 0xff, 0x7f]))
    const pour = (): void => {
      while (!socket.destroyed && socket.write(chunk));
    }
    socket.on('drain', pour)
    pour()
  })
  const flooded = ask(port)
  expect(await flooded).toBeNull()
  server?.close()
  const other = await gameThat((socket) => socket.end(statusOf(honest)))
  expect(await answered(other)).toMatchObject({ online: 2 })
})

it('ignores packets that come from another port than the one it asked', async () => {
  const game = createSocket('udp4')
  const stranger = createSocket('udp4')
  let packets = 0
  game.on('message', (_message, from) => {
    packets += 1
    // A2S_INFO from elsewhere.
    stranger.send(Buffer.from('ffffffff49117a00', 'hex'), from.port, from.address)
  })
  await new Promise<void>((resolve) => game.bind(0, '127.0.0.1', resolve))
  const asked = { type: 'protocol-valve', ip: '127.0.0.1', port: game.address().port } as const
  expect((await queries.ask(asked)).players).toBeNull()
  await waitFor('the question', () => packets > 0)
  game.close()
  stranger.close()
})

it('follows nowhere: a web server at another port is never asked', async () => {
  let visits = 0
  const web = createHttp((_request, response) => {
    visits += 1
    response.end()
  })
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
  const elsewhere = (web.address() as AddressInfo).port
  const port = await gameThat((socket) =>
    socket.end(`HTTP/1.1 301 Moved\r\nLocation: http://127.0.0.1:${elsewhere}/\r\nContent-Length: 0\r\n\r\n`),
  )
  for (const type of [MINECRAFT, 'protocol-valve', 'csgo'] as const) {
    expect((await queries.ask({ type, ip: '127.0.0.1', port })).players).toBeNull()
  }
  expect(visits).toBe(0)
  web.close()
})
