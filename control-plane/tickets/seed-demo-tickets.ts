import { afterAct, openedTicket } from '#domain/tickets/ticket-state.ts'
import { systemClock } from '#platform/clock.ts'
import { systemIds } from '#platform/ids.ts'
import { openPostgres } from '#platform/postgres/database.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { readTicketCategories } from '../cms/cms-reader.ts'
import { insertMessage, insertTicket, markRead, saveProgress } from './ticket-store.ts'

const HOUR_MS = 3_600_000

type Step = { readonly by: 'customer' | 'support'; readonly afterMs: number; readonly text?: string }
type DemoTicket = {
  /** The Hungarian name of its category. */
  readonly category: string
  readonly title: string
  readonly openedAgoMs: number
  readonly text: string
  /** The lines that followed, each so long after the opening; without a text the ticket was closed. */
  readonly steps: readonly Step[]
}

/** One ticket of each state, in the language of the demo's customer. */
const TICKETS: readonly DemoTicket[] = [
  {
    category: 'Fiók',
    title: 'Nem érkezik meg a megerősítő e-mail',
    openedAgoMs: 220 * HOUR_MS,
    text: 'Sziasztok! Megváltoztattam az e-mail-címemet, de a **megerősítő levél** nem jött meg.',
    steps: [
      {
        by: 'support',
        afterMs: 0.4 * HOUR_MS,
        text: 'Szia! A levél elment, a szolgáltatód a levélszemét közé tette. Kérlek, nézd meg ott is:\n\n1. nyisd meg a **Levélszemét** mappát,\n2. keresd a Bakter feladót.',
      },
      { by: 'customer', afterMs: 1 * HOUR_MS, text: 'Megvan, köszönöm!' },
      { by: 'customer', afterMs: 1.1 * HOUR_MS },
    ],
  },
  {
    category: 'Fizetés és számlák',
    title: 'Kérhetek a céges adataimra számlát?',
    openedAgoMs: 30 * HOUR_MS,
    text: 'A mostani számláimon még a magánszemély adataim vannak. Hol tudom átírni a cégemre?',
    steps: [
      {
        by: 'support',
        afterMs: 0.7 * HOUR_MS,
        text: 'Szia! A **Beállítások** oldalon add meg az adószámot, és a következő számla már a céged nevére szól.\n\nA korábbiakat is átírjuk, ha elküldöd az adószámot ebben a hibajegyben.',
      },
    ],
  },
  {
    category: 'Játékszerver',
    title: 'A szerverem este leállt, és nem indul újra',
    openedAgoMs: 1.5 * HOUR_MS,
    text: 'Sziasztok! Ma este leállt a szerverem, és indításkor ezt írja:\n\n```\n[20:14:02] [ERROR] out of memory (2048 MB)\n[20:14:02] [ERROR] server stopped, exit code 137\n```\n\nMit tehetek?',
    steps: [],
  },
]

type People = { readonly support: string; readonly customer: string }
type Written = { readonly people: People; readonly categoryId: string; readonly nowMs: number }

const writeTicket = async (tx: Sql, ticket: DemoTicket, { people, categoryId, nowMs }: Written): Promise<void> => {
  const openedMs = nowMs - ticket.openedAgoMs
  const at = (atMs: number) => ({ ids: systemIds, clock: { now: () => atMs } })
  let progress = openedTicket(openedMs)
  const opening = { title: ticket.title, categoryId, openerId: people.customer, followsId: null, progress }
  const ticketId = await insertTicket(tx, at(openedMs), opening)
  const first = { ticketId, authorId: people.customer, byStaff: false, kind: 'message', text: ticket.text } as const
  let upTo = await insertMessage(tx, at(openedMs), first)
  for (const { by, afterMs, text } of ticket.steps) {
    const atMs = openedMs + afterMs
    const side = by === 'support' ? 'staff' : 'customer'
    const after = afterAct(progress, { act: text === undefined ? 'close' : 'message', side, nowMs: atMs })
    if (!after.ok) throw new Error(`a ticket of the demo cannot go on: ${after.code}`)
    progress = after.ticket
    const said =
      text === undefined ? ({ kind: 'event', event: 'closed' } as const) : ({ kind: 'message', text } as const)
    const line = { ticketId, authorId: people[by], byStaff: side === 'staff', ...said }
    const id = await insertMessage(tx, at(atMs), line)
    if (by === 'customer') upTo = id
  }
  await saveProgress(tx, ticketId, progress)
  await markRead(tx, { ticketId, userId: people.customer, upTo })
}

/**
 * Gives the demo's customer a ticket of each state, once: a customer who has tickets keeps them as they are. Without the demo's
 * categories, which staff may have removed, there is none. Opens and closes its own connection.
 */
export const seedDemoTickets = async (databaseUrl: string, people: People): Promise<void> => {
  const db = openPostgres({ url: databaseUrl, applicationName: 'seed', maxConnections: 1 })
  try {
    const [known] = await db.query('select 1 from control.tickets where opener_id = $1 limit 1', [people.customer])
    if (known) return
    const categories = await readTicketCategories(db)
    await db.transaction(async (tx) => {
      for (const ticket of TICKETS) {
        const category = categories.find(({ name }) => name.hu === ticket.category)
        if (category) await writeTicket(tx, ticket, { people, categoryId: category.id, nowMs: systemClock.now() })
      }
    })
  } finally {
    await db.close()
  }
}
