import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

import { afterEach, beforeEach, expect, it } from 'vitest'

import { openPostgres, type Database } from '#platform/postgres/database.ts'
import { platformDatabase, type PlatformDatabase } from '../../factories/platform-database.ts'
import { FaultProxy } from '../../support/fault-proxy.ts'
import { waitFor } from '../../support/wait-for.ts'

const CHANNEL = 'a_channel_of_the_test'

/** A FATAL as a PostgreSQL writes that starts up or shuts down; the end of the connection comes a moment after it. */
const startingUp = (): Buffer => {
  const fields = Buffer.from('SFATAL\0VFATAL\0C57P03\0Mthe database system is starting up\0\0')
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}
const END_AFTER_MS = 20

/** In front of another address: answers so many connections with `startingUp`, and passes the others on. */
class StartingUp {
  refusals = 0
  refused = 0
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  constructor(target: number) {
    this.#server = createServer((client) => {
      this.#sockets.add(client)
      client.on('error', () => {})
      if (this.refusals === 0) return void this.#pass(client, target)
      this.refusals -= 1
      this.refused += 1
      client.once('data', () => {
        client.write(startingUp())
        setTimeout(() => client.destroy(), END_AFTER_MS)
      })
    })
  }

  #pass(client: Socket, target: number): void {
    const server = connect(target, '127.0.0.1')
    server.on('error', () => client.destroy())
    client.on('close', () => server.destroy())
    server.on('close', () => client.destroy())
    client.pipe(server).pipe(client)
  }

  async open(): Promise<number> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return (this.#server.address() as AddressInfo).port
  }

  cut(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  close(): void {
    this.#server.close()
    this.cut()
  }
}

let database: PlatformDatabase
let proxy: FaultProxy
let front: StartingUp
let behind: Database
let heard: string[]
let gaps: number
beforeEach(async () => {
  database = await platformDatabase()
  const url = new URL(database.url)
  proxy = new FaultProxy(Number(url.port))
  front = new StartingUp(Number(new URL(await proxy.open()).port))
  url.port = String(await front.open())
  behind = openPostgres({ url: url.href, applicationName: 'behind' })
  heard = []
  gaps = 0
})
afterEach(async () => {
  await behind.close()
  front.close()
  await proxy.close()
  await database.close()
})

const listen = async () => {
  const listening = behind.listen(CHANNEL, { onMessage: (text) => heard.push(text), onGap: () => (gaps += 1) })
  await listening.ready
  return listening
}
const notify = (text: string) => database.owner.query('select pg_notify($1, $2)', [CHANNEL, text])
const listeners = async () =>
  (
    await database.owner.query(
      'select 1 from pg_stat_activity where application_name = $1 and datname = current_database()',
      [`listen:${CHANNEL}`],
    )
  ).length

it('while a database is starting up one connection retries, and hears everything once', async () => {
  const listener = await listen()
  front.refusals = 2
  front.cut()
  await waitFor('the connection after the refusals', () => gaps === 2)
  expect(front.refused).toBe(2)
  // Longer than the pause after which another connection would come.
  await new Promise((resolve) => setTimeout(resolve, 1_200))
  await notify('one')
  await waitFor('the word', () => heard.length > 0)
  await notify('two')
  await waitFor('the next word', () => heard.includes('two'))
  expect({ heard, gaps, listeners: await listeners() }).toEqual({ heard: ['one', 'two'], gaps: 2, listeners: 1 })
  await listener.close()
  await waitFor('the end of the connection', async () => (await listeners()) === 0)
})

it('a database that accepts connections and stays silent is noticed, and missed notifications are a gap', async () => {
  const listener = await listen()
  const before = proxy.accepted
  proxy.flow({ toTarget: 'hold', toClient: 'hold' })
  await waitFor('another attempt', () => proxy.accepted > before)
  proxy.flow({ toTarget: 'pass', toClient: 'pass' })
  await waitFor('the connection after the silence', () => gaps > 1)
  await notify('one')
  await waitFor('the word', () => heard.includes('one'))
  expect(heard).toEqual(['one'])
  await listener.close()
})

it('a failed first connection is reported, and the next one listens to the channel', async () => {
  front.refusals = 1
  const listening = behind.listen(CHANNEL, { onMessage: (text) => heard.push(text), onGap: () => (gaps += 1) })
  await expect(listening.ready).rejects.toThrow('starting up')
  await waitFor('the next connection', () => gaps === 1)
  await notify('one')
  await waitFor('the word', () => heard.includes('one'))
  await listening.close()
})

it('after its end nothing is retried and nothing is heard, whether or not the first connection failed', async () => {
  front.refusals = 1
  const failed = behind.listen(CHANNEL, { onMessage: (text) => heard.push(text), onGap: () => (gaps += 1) })
  await failed.ready.catch(() => {})
  await failed.close()
  await new Promise((resolve) => setTimeout(resolve, 1_200))
  expect({ refused: front.refused, accepted: proxy.accepted }).toEqual({ refused: 1, accepted: 0 })
  await (await listen()).close()
  await notify('five')
  await waitFor('the end of the connection', async () => (await listeners()) === 0)
  expect(heard).toEqual([])
})

it('a connection whose process PostgreSQL ends is reopened, and missed notifications are a gap', async () => {
  const listening = await listen()
  // With one statement: half a second later the next connection is there.
  await database.owner.query(
    `with ended as materialized (
       select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = $1 and datname = current_database()
     ) select pg_notify($2, 'missed') from ended`,
    [`listen:${CHANNEL}`, CHANNEL],
  )
  await waitFor('the next connection', () => gaps === 2)
  await notify('one')
  await waitFor('the word', () => heard.includes('one'))
  expect(heard).toEqual(['one'])
  await listening.close()
})
