import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import * as z from 'zod'
import type { Program, World } from './two-of-everything.ts'
import { askFrom } from './world-people.ts'
import { waitFor } from './wait-for.ts'

const WITHIN_MS = 120_000
/** Between two attempts, as a patient program waits. */
const PAUSE_MS = 1_000

/** Somebody who writes to support as a program does: each request has a key, and is repeated until it is answered. */
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

  /** The answer of the first attempt that was taken. */
  send(route: string, body: object): Promise<unknown> {
    const key = randomUUID()
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

/** The messages of one side of a ticket, in their order. */
export const writtenIn = async (world: World, ticketId: string, side: 'customer' | 'staff'): Promise<string[]> => {
  const rows = await world.owner.query<{ text: string }>(
    `select text from control.ticket_messages where ticket_id = $1 and by_staff = $2 and kind = 'message' order by seq`,
    [ticketId, side === 'staff'],
  )
  return rows.map(({ text }) => text)
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
