import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { WebSocket } from 'ws'
import * as z from 'zod'
import { TicketView } from '../../src/contracts/http/ticket.ts'
import type { Program, World } from './two-of-everything.ts'
import { askFrom } from './world-people.ts'
import { waitFor } from './wait-for.ts'

const WITHIN_MS = 120_000
/** Between two attempts, as a patient program waits. */
const PAUSE_MS = 1_000

/**
 * Somebody who writes to support as a program does: each request has a key, and is repeated until it is answered. The first answer is
 * always lost, so that every request that was carried out comes again.
 */
export class KeptWriter {
  readonly #world: World
  readonly #username: 'admin' | 'customer'
  #token = ''
  /** The requests that were not answered, or with a failure of the programs. */
  outages = 0

  constructor(world: World, username: 'admin' | 'customer') {
    this.#world = world
    this.#username = username
  }

  async signIn(): Promise<this> {
    const { body } = await askFrom(this.#world, this.#world, '/api/auth/login', {
      body: this.#world.credentials(this.#username),
    })
    this.#token = z.object({ access_token: z.string() }).parse(body).access_token
    return this
  }

  /** Sends a request until it was answered twice, with the same. */
  async send(route: string, body: object): Promise<unknown> {
    const key = randomUUID()
    const [lost, kept] = [await this.#attempt(route, body, key), await this.#attempt(route, body, key)]
    if (!isDeepStrictEqual(idsOf(lost), idsOf(kept))) throw new Error(`${route} answered its repetition with another.`)
    return kept
  }

  /** The answer of the first attempt that was taken. */
  #attempt(route: string, body: object, key: string): Promise<unknown> {
    return waitFor(
      `an answer to ${route}`,
      async () => {
        const answer = await askFrom(this.#world, this.#world, route, { token: this.#token, body, key }).catch(
          () => null,
        )
        if (answer?.status === 201) return answer
        // Everything but an outage, an attempt that is still under way, or too many of them is an error of the test.
        if (answer && answer.status < 500 && answer.status !== 409 && answer.status !== 429)
          throw new Error(`${route} was answered with ${answer.status} ${JSON.stringify(answer.body)}`)
        if (answer === null || answer.status >= 500) this.outages += 1
        await setTimeout(PAUSE_MS)
        return undefined
      },
      WITHIN_MS,
    ).then(({ body: sent }) => sent)
  }

  /** Opens a ticket in a browser. */
  async watch(ticketId: string): Promise<LiveTicket> {
    const page = new LiveTicket(this.#world, this.#token, ticketId)
    await waitFor('the page', () => page.lines.length > 0, WITHIN_MS)
    return page
  }

  async openTicket(title: string): Promise<string> {
    const [category] = await this.#world.owner.query<{ id: string }>('select id from cms_api.ticket_categories limit 1')
    const opening = { title, categoryId: category?.id, message: 'Please' }
    const view = await this.send('/api/ticket', opening)
    return z.object({ ticket: z.object({ id: z.string() }) }).parse(view).ticket.id
  }

  /** Writes a message into each of the tickets. */
  async say(message: string, ticketIds: readonly string[]): Promise<void> {
    for (const id of ticketIds) await this.send(`/api/ticket/${id}/messages`, { message })
  }
}

/** The ids of a written line or of an opened ticket. */
const idsOf = (answer: unknown): unknown =>
  z.object({ id: z.string().optional(), ticket: z.object({ id: z.string() }).optional() }).parse(answer)

/** A page that shows a ticket: it reads it when its socket opens, and again with each event about it. A socket that is lost is opened again. */
class LiveTicket {
  readonly #world: World
  readonly #token: string
  readonly #ticketId: string
  #isLeft = false
  #reading: Promise<void> = Promise.resolve()
  #socket: WebSocket | undefined
  /** How often a socket was opened. */
  opened = 0
  /** The text of each message, in the order in which they appeared. */
  lines: readonly string[] = []

  constructor(world: World, token: string, ticketId: string) {
    this.#world = world
    this.#token = token
    this.#ticketId = ticketId
    this.#open()
  }

  #ask(route: string) {
    return askFrom(this.#world, this.#world, route, { token: this.#token })
  }

  #open(): void {
    if (this.#isLeft) return
    const again = () => void setTimeout(PAUSE_MS).then(() => this.#open())
    this.#connect().catch(again)
  }

  async #connect(): Promise<void> {
    const { ticket } = z.object({ ticket: z.string() }).parse((await this.#ask('/api/auth/gateway-ticket')).body)
    const url = `${this.#world.url.replace('http', 'ws')}/api/ws/gateway?token=${ticket}`
    const socket = new WebSocket(url, { origin: this.#world.url })
    this.#socket = socket
    socket.on('error', () => {})
    socket.on('close', () => void setTimeout(PAUSE_MS).then(() => this.#open()))
    socket.on('message', (bytes: Buffer) => {
      const text = bytes.toString()
      if (text.includes('"ping"')) socket.send(JSON.stringify({ event: 'pong' }))
      if (text.includes('ticket.update') && text.includes(this.#ticketId)) this.#read()
    })
    socket.on('open', () => {
      this.opened += 1
      this.#read()
    })
  }

  #read(): void {
    const read = async () => {
      const { messages } = TicketView.parse((await this.#ask(`/api/ticket/${this.#ticketId}`)).body)
      this.lines = messages.filter(({ kind }) => kind === 'message').map(({ message }) => message)
    }
    // A read that fails is one of an outage, after which the socket opens anew.
    this.#reading = this.#reading.then(read).catch(() => {})
  }

  /** Leaves the page once it shows these lines; returns how often its socket was opened. */
  async leaveWith(lines: readonly string[]): Promise<number> {
    await waitFor(`${lines.length} lines on the page`, () => isDeepStrictEqual(this.lines, lines), WITHIN_MS)
    this.#isLeft = true
    this.#socket?.terminate()
    return this.opened
  }
}

/** The messages of a ticket in their order, of one side or of both. */
export const writtenIn = async (world: World, ticketId: string, side?: 'customer' | 'staff'): Promise<string[]> => {
  const rows = await world.owner.query<{ text: string }>(
    `select text from control.ticket_messages
     where ticket_id = $1 and ($2::boolean is null or by_staff = $2) and kind = 'message' order by seq`,
    [ticketId, side === undefined ? null : side === 'staff'],
  )
  return rows.map(({ text }) => text)
}

/** How often the bell rang for each side of the tickets. */
export const ringsOf = async (world: World, ticketIds: readonly string[]) => {
  const [rings] = await world.owner.query<{ customer: number; staff: number }>(
    `select count(*) filter (where text = 'ticket.reply')::integer as customer,
       count(*) filter (where text = 'ticket.customer-reply')::integer as staff
     from control.notifications where data->>'ticketId' = any ($1)`,
    [ticketIds],
  )
  return rings
}

/**
 * The replies in the mails about a ticket, in the order in which the mail server got them. A mail that it got again under the same Message-ID,
 * because its sender died before it had noted the answer, is one mail to everybody who reads it.
 */
export const repliesMailed = (world: World, title: string): string[] => {
  const mails = world.smtp.received.map(({ raw }) => raw.toString('latin1')).filter((raw) => raw.includes(title))
  const once = new Map(mails.map((raw) => [/^message-id: *(\S+)/im.exec(raw)?.[1] ?? raw, raw]))
  return [...once.values()].flatMap((raw) => [...new Set(raw.match(/Reply \d\./g) ?? [])])
}

/** Something that comes once, and that others wait for. */
export const moment = (): { readonly come: Promise<void>; has(): void } => {
  let has = () => {}
  const come = new Promise<void>((done) => {
    has = done
  })
  return { come, has: () => has() }
}

/** Kills programs, says when all of them are dead, and starts them again. */
export const killAndRevive = async (
  world: World,
  programs: readonly Program[],
  dead: ReturnType<typeof moment>,
): Promise<void> => {
  for (const { process } of programs) process.signal('SIGKILL')
  await Promise.all(programs.map(({ process }) => process.ended))
  dead.has()
  await Promise.all(programs.map((program) => world.revive(program)))
}
