import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ErrorBody } from '#contracts/http/errors.ts'
import { API_ROUTES, type ApiRouteName } from '#contracts/routes/routes.ts'
import { systemIds } from '#platform/ids.ts'
import { deleteTicket } from '../../../control-plane/tickets/manage-ticket.ts'
import { TICKET_CALLERS, TicketWorld, type TicketCallerName, type WorldTicket } from '../../factories/ticket-world.ts'
import { SITE } from '../../support/site-routes.ts'

type TicketCall = Extract<ApiRouteName, `${string} /api/ticket${string}`>
/**
 * The rights to a call that names a ticket: who of those that see it may make it, with which body, and after which act.
 * Written down apart from the rules themselves; a call without a row does not compile.
 */
type Row =
  | {
      readonly may: readonly TicketCallerName[]
      /** `second` is another ticket of the same customer, for staff of both. */
      readonly body?: (ticket: WorldTicket, second: string) => object
      readonly after?: 'close'
      /** A refusal by the state of things that stands behind the right. */
      readonly or?: number
    }
  | { readonly names: 'a file' | 'no ticket' }

const SEEING = ['added', 'opener', 'desk', 'administrator'] as const
const BOTH = ['opener', 'desk', 'administrator'] as const
const STAFF = ['desk', 'administrator'] as const
const HIDDEN = TICKET_CALLERS.filter((name) => !(SEEING as readonly string[]).includes(name))

let world: TicketWorld
const message = () => ({ message: 'Mine now' })
const ROWS: Record<TicketCall, Row> = {
  'GET /api/ticket/all': { names: 'no ticket' },
  'GET /api/ticket/categories': { names: 'no ticket' },
  // It names a server: tests/integration/api/foreign-ids.test.ts.
  'GET /api/ticket-context/{id}': { names: 'no ticket' },
  'GET /api/ticket/queue': { names: 'no ticket' },
  'GET /api/ticket/figures': { names: 'no ticket' },
  'POST /api/ticket': { names: 'no ticket' },
  'POST /api/ticket-attachment': { names: 'a file' },
  'DELETE /api/ticket-attachment/{id}': { names: 'a file' },
  'GET /api/ticket/{id}/attachments/{attachmentId}': { names: 'a file' },
  'GET /api/ticket/{id}': { may: SEEING },
  'POST /api/ticket/{id}/messages': { may: SEEING, body: message },
  'POST /api/ticket/{id}/notes': { may: STAFF, body: message },
  'POST /api/ticket/{id}/close': { may: BOTH },
  'POST /api/ticket/{id}/reopen': { may: BOTH, after: 'close' },
  'POST /api/ticket/{id}/read': { may: SEEING, body: () => ({ upTo: systemIds.next() }) },
  'POST /api/ticket/{id}/rating': { may: ['opener'], body: () => ({ rating: 'bad' }), after: 'close' },
  'GET /api/ticket/{id}/customer': { may: STAFF },
  'GET /api/ticket/{id}/colleagues': { may: STAFF },
  'PUT /api/ticket/{id}/assignee': { may: STAFF, body: () => ({ userId: null, seen: null }) },
  'PUT /api/ticket/{id}/category': { may: STAFF, body: () => ({ categoryId: world.technical }) },
  'POST /api/ticket/{id}/merge': { may: STAFF, body: (_ticket, intoId) => ({ intoId }) },
  'POST /api/ticket/{id}/test-server': {
    may: STAFF,
    body: () => {
      const { serviceId, packageId } = world.connected.shop
      return { serviceId, packageId, name: 'Try' }
    },
    // One for each customer.
    or: 409,
  },
  'POST /api/ticket/{id}/people': { may: STAFF, body: () => ({ userId: world.idOf('stranger') }) },
  'DELETE /api/ticket/{id}/people/{userId}': { may: STAFF },
  'DELETE /api/ticket/{id}': { may: ['administrator'] },
}
type NamingRow = Extract<Row, { readonly may: readonly TicketCallerName[] }>
const NAMING = Object.entries(ROWS).filter((row): row is [TicketCall, NamingRow] => 'may' in row[1])

beforeAll(async () => {
  world = await TicketWorld.open()
})
// The limits have tests of their own.
beforeEach(() => world.connected.site.identity.db.query('delete from identity.limit_buckets'))
afterAll(() => world.end())

type Ids = { readonly id: string; readonly attachmentId?: string; readonly search?: string }
const send = async (
  caller: TicketCallerName,
  name: TicketCall,
  { id, attachmentId = '', search = '' }: Ids,
  body = {},
) => {
  const [method = '', path = ''] = name.split(' ')
  const at = path.replace('{id}', id).replace('{attachmentId}', attachmentId).replace('{userId}', world.idOf('added'))
  const response = await world.connected.site.send(
    new Request(`${SITE}${at}${search}`, {
      method,
      headers: { ...world.headersOf(caller), 'content-type': 'application/json', origin: SITE },
      ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
    }),
  )
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
  return { status: response.status, text, json: isJson ? (JSON.parse(text) as unknown) : undefined }
}
const codeOf = (json: unknown) => ErrorBody.safeParse(json).data?.error.code
const NOT_FOUND = [404, 'NOT_FOUND']

/** The act on a ticket, and whether those who saw it still do. */
const STAGES = {
  open: async () => {},
  closed: ({ ticketId }: WorldTicket) => world.close(ticketId),
  merged: async ({ ticketId }: WorldTicket) => void (await world.merge(ticketId)),
} satisfies Record<string, (ticket: WorldTicket) => Promise<void>>
type Stage = keyof typeof STAGES
const stages = Object.keys(STAGES) as Stage[]
const ticketAt = async (stage: Stage): Promise<WorldTicket> => {
  const ticket = await world.ticket()
  await STAGES[stage](ticket)
  return ticket
}

it('every call about tickets has a row', () => {
  const about = Object.keys(API_ROUTES).filter((name) => /^[A-Z]+ \/api\/ticket/.test(name))
  expect(Object.keys(ROWS).sort()).toEqual(about.sort())
  expect(about.filter((name) => name.includes('/ticket/{id}')).sort()).toEqual(
    [...NAMING.map(([name]) => name), 'GET /api/ticket/{id}/attachments/{attachmentId}'].sort(),
  )
})

describe.each(stages)('a ticket that is %s', (stage) => {
  it('is answered as if it did not exist, by each call, to whoever has nothing to do with it, and stays as it is', async () => {
    const [ticket, second] = [await ticketAt(stage), await world.opened()]
    const before = await world.everything()
    for (const [name, { body }] of NAMING)
      for (const caller of HIDDEN) {
        const { status, json } = await send(caller, name, { id: ticket.ticketId }, body?.(ticket, second))
        expect([name, caller, status, codeOf(json)]).toEqual([name, caller, ...NOT_FOUND])
        const nobodys = await send(caller, name, { id: systemIds.next() }, body?.(ticket, second))
        expect([name, caller, nobodys.status, codeOf(nobodys.json)]).toEqual([name, caller, ...NOT_FOUND])
      }
    expect(await world.everything()).toEqual(before)
  })
})

it('a ticket that is deleted is nobody’s', async () => {
  const [ticket, second] = [await world.ticket(), await world.opened()]
  const caller = world.callerOf('administrator')
  await deleteTicket(world.connected.context, { caller, ticketId: ticket.ticketId, requestId: 'r' })
  for (const [name, { body }] of NAMING)
    for (const caller of TICKET_CALLERS) {
      const { status, json } = await send(caller, name, { id: ticket.ticketId }, body?.(ticket, second))
      expect([name, caller, status, codeOf(json)]).toEqual([name, caller, ...NOT_FOUND])
    }
})

describe.each(NAMING)('%s', (name, { may, body, after, or }) => {
  it.each(SEEING)(`as the right of %s says`, async (caller) => {
    const [ticket, second] = [await world.ticket(), await world.opened()]
    if (after === 'close') await world.close(ticket.ticketId)
    const before = await world.everything()
    const { status, json } = await send(caller, name, { id: ticket.ticketId }, body?.(ticket, second))
    if (may.includes(caller)) expect([200, 201, or], JSON.stringify(json)).toContain(status)
    else {
      expect([status, codeOf(json)]).toEqual([403, 'FORBIDDEN'])
      expect(await world.everything()).toEqual(before)
    }
  })
})

/** The names of what a caller reads from a ticket: by its address, or by that of the ticket that it was merged into. */
const readFrom = async (caller: TicketCallerName, id: string, { sent, noted, unsent }: WorldTicket) => {
  const read: string[] = []
  for (const attachmentId of [sent, noted, unsent]) {
    const { status, text, json } = await send(caller, 'GET /api/ticket/{id}/attachments/{attachmentId}', {
      id,
      attachmentId,
    })
    if (status === 200) read.push(text)
    else expect([caller, status, codeOf(json)]).toEqual([caller, ...NOT_FOUND])
  }
  return read
}
const NOTHING = { stranger: [], removed: [], elsewhere: [], added: [], opener: [], desk: [], administrator: [] }
const READ = {
  ...NOTHING,
  added: ['sent'],
  opener: ['sent'],
  desk: ['sent', 'noted'],
  administrator: ['sent', 'noted'],
}
const readBy = async (id: string, ticket: WorldTicket) => {
  const read: Partial<Record<TicketCallerName, string[]>> = {}
  for (const caller of TICKET_CALLERS) read[caller] = await readFrom(caller, id, ticket)
  return read
}

describe('files of a ticket', () => {
  it('are read by those who see its messages, those of notes by staff, those that were not sent by nobody; for ever', async () => {
    const ticket = await world.ticket()
    const { ticketId } = ticket
    expect(await readBy(ticketId, ticket)).toEqual(READ)
    await world.close(ticketId)
    expect(await readBy(ticketId, ticket)).toEqual(READ)
    await world.remove('added', ticketId)
    expect(await readBy(ticketId, ticket)).toEqual({ ...READ, added: [] })
    const intoId = await world.merge(ticketId)
    for (const id of [ticketId, intoId]) expect(await readBy(id, ticket)).toEqual({ ...READ, added: [] })
    const { technical: categoryId } = world
    expect((await send('desk', 'PUT /api/ticket/{id}/category', { id: intoId }, { categoryId })).status).toBe(200)
    for (const id of [ticketId, intoId])
      expect(await readBy(id, ticket)).toEqual({ ...READ, added: [], desk: [], elsewhere: READ.desk })
    expect((await send('administrator', 'DELETE /api/ticket/{id}', { id: intoId })).status).toBe(200)
    for (const id of [ticketId, intoId]) expect(await readBy(id, ticket)).toEqual(NOTHING)
    const rows = await world.connected.database.owner.query(
      'select id from control.ticket_attachments where id = any ($1)',
      [[ticket.sent, ticket.noted, ticket.unsent]],
    )
    expect(rows).toEqual([{ id: ticket.unsent }])
  })

  it('are in no other ticket, whoever asks', async () => {
    const ticket = await world.ticket()
    const other = await world.opened()
    expect(await readBy(other, ticket)).toEqual(NOTHING)
  })

  it('are removed by nobody once they were sent, and before that by their sender alone', async () => {
    const { sent, noted, unsent } = await world.ticket()
    const remove = async (caller: TicketCallerName, id: string) => {
      const { status, json } = await send(caller, 'DELETE /api/ticket-attachment/{id}', { id })
      return status === 200 ? 'removed' : [status, codeOf(json)]
    }
    const before = await world.everything()
    for (const caller of TICKET_CALLERS) {
      for (const id of [sent, noted, systemIds.next()]) expect(await remove(caller, id)).toEqual(NOT_FOUND)
      if (caller !== 'opener') expect([caller, await remove(caller, unsent)]).toEqual([caller, NOT_FOUND])
    }
    expect(await world.everything()).toEqual(before)
    expect(await remove('opener', unsent)).toBe('removed')
    expect(await remove('opener', unsent)).toEqual(NOT_FOUND)
  })

  it('go with no message of anybody but their sender, and with no second one', async () => {
    const ticket = await world.ticket()
    const before = await world.everything()
    const withFile = (caller: TicketCallerName, name: TicketCall, attachment: string) =>
      send(caller, name, { id: ticket.ticketId }, { message: 'Mine now', attachments: [attachment] })
    for (const caller of SEEING)
      for (const name of ['POST /api/ticket/{id}/messages', 'POST /api/ticket/{id}/notes'] as const)
        for (const file of [ticket.sent, ticket.noted, ticket.unsent, systemIds.next()]) {
          const isRefusedBefore = name.endsWith('notes') && (caller === 'added' || caller === 'opener')
          if (file === ticket.unsent && caller === 'opener') continue
          const { status, json } = await withFile(caller, name, file)
          expect([caller, status, codeOf(json)]).toEqual(
            isRefusedBefore ? [caller, 403, 'FORBIDDEN'] : [caller, 400, 'VALIDATION'],
          )
        }
    const { technical: categoryId } = world
    const opening = { title: 'Mine', categoryId, message: 'Mine now', attachments: [ticket.unsent] }
    const opened = await send('stranger', 'POST /api/ticket', { id: '' }, opening)
    expect([opened.status, codeOf(opened.json)]).toEqual([400, 'VALIDATION'])
    expect(await world.everything()).toEqual(before)
  })
})

describe('lists', () => {
  const listed = async (caller: TicketCallerName, name: TicketCall, search: string) => {
    const { status, json } = await send(caller, name, { id: '', search })
    return status === 200 ? (json as { id: string }[]).map(({ id }) => id) : [status, codeOf(json)]
  }

  it('and their search show a ticket to those who see it, as customers or as staff', async () => {
    await world.connected.database.owner.query('delete from control.tickets')
    const { ticketId } = await world.ticket()
    for (const search of ['', '?text=marmots', '?find=marmots', '?text=stops', '?find=stops']) {
      const all: Partial<Record<TicketCallerName, unknown>> = {}
      const queue: Partial<Record<TicketCallerName, unknown>> = {}
      for (const caller of TICKET_CALLERS) {
        all[caller] = await listed(caller, 'GET /api/ticket/all', search)
        queue[caller] = await listed(caller, 'GET /api/ticket/queue', search)
      }
      expect([search, all]).toEqual([search, { ...NOTHING, added: [ticketId], opener: [ticketId] }])
      const refused = [403, 'FORBIDDEN']
      expect([search, queue]).toEqual([
        search,
        {
          stranger: refused,
          removed: refused,
          added: refused,
          opener: refused,
          elsewhere: [],
          desk: [ticketId],
          administrator: [ticketId],
        },
      ])
    }
  })

  it('say nothing about the note to those who do not read it, in words or as a place', async () => {
    await world.connected.database.owner.query('delete from control.tickets')
    const { ticketId } = await world.ticket()
    expect(await listed('opener', 'GET /api/ticket/all', '?text=customer')).toEqual([])
    expect(await listed('desk', 'GET /api/ticket/queue', '?text=customer')).toEqual([ticketId])
    const later = await world.opened({ categoryId: world.technical })
    expect(await listed('elsewhere', 'GET /api/ticket/queue', `?before=${ticketId}`)).toEqual([])
    expect(await listed('elsewhere', 'GET /api/ticket/queue', '')).toEqual([later])
  })
})

describe('ids inside a request', () => {
  it('a ticket that its reader does not see is no target and no earlier ticket', async () => {
    const { ticketId } = await world.ticket()
    const theirs = await world.opened({ categoryId: world.technical })
    const before = await world.everything()
    const merged = await send('elsewhere', 'POST /api/ticket/{id}/merge', { id: theirs }, { intoId: ticketId })
    expect([merged.status, codeOf(merged.json)]).toEqual([400, 'VALIDATION'])
    const opening = { title: 'Mine', categoryId: world.technical, message: 'Mine now', followsId: ticketId }
    const opened = await send('stranger', 'POST /api/ticket', { id: '' }, opening)
    expect([opened.status, codeOf(opened.json)]).toEqual([400, 'VALIDATION'])
    expect(await world.everything()).toEqual(before)
  })

  it('a message of another ticket is no place in one’s own, and no mark of what was read', async () => {
    const { ticketId } = await world.ticket()
    const theirs = await world.opened({ categoryId: world.technical })
    const [foreign] = await world.connected.database.owner.query<{ id: string }>(
      'select id from control.ticket_messages where ticket_id = $1 order by seq desc limit 1',
      [ticketId],
    )
    const search = `?before=${foreign?.id ?? ''}`
    const page = await send('elsewhere', 'GET /api/ticket/{id}', { id: theirs, search })
    expect([page.status, page.text.includes('About the customer')]).toEqual([200, false])
    const before = await world.everything()
    await send('elsewhere', 'POST /api/ticket/{id}/read', { id: theirs }, { upTo: foreign?.id })
    expect(await world.everything()).toEqual(before)
  })
})
