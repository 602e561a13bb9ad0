import { afterAll, beforeAll, expect, it } from 'vitest'
import { ATTACHMENT_BOUNDS, ATTACHMENT_WAITS_MS, ATTACHMENT_WINDOW_MS } from '#domain/tickets/attachment.ts'
import { TICKET_BOUNDS } from '#contracts/http/ticket.ts'
import { systemIds } from '#platform/ids.ts'
import { sweep } from '../../../control-plane/people/sweep.ts'
import { deleteTicket } from '../../../control-plane/tickets/manage-ticket.ts'
import { listTickets } from '../../../control-plane/tickets/read-tickets.ts'
import type { TicketCaller } from '../../../control-plane/tickets/reach-ticket.ts'
import { dropAttachment, keepAttachment, readAttachment } from '../../../control-plane/tickets/ticket-attachments.ts'
import { viewTicket } from '../../../control-plane/tickets/view-ticket.ts'
import { ScannerInMemory } from '../../factories/virus-scanners.ts'
import { EICAR } from '../../support/eicar.ts'
import { TicketDesk } from '../../factories/ticket-desk.ts'

let desk: TicketDesk
beforeAll(async () => {
  desk = await TicketDesk.open()
})
afterAll(() => desk.close())

const keep = (caller: TicketCaller, text = 'a log', key: string = systemIds.next()) =>
  keepAttachment(desk.context(), {
    userId: caller.userId,
    name: 'latest.log',
    bytes: new TextEncoder().encode(text),
    key,
  })
const kept = async (caller: TicketCaller, text?: string) => {
  const result = await keep(caller, text)
  if (!result.ok) throw new Error(result.code)
  return result.answer.id
}
const read = async (caller: TicketCaller, ticketId: string, attachmentId: string) => {
  const result = await readAttachment(desk.context(), { caller, ticketId, attachmentId })
  return result.ok ? Buffer.from(result.file.bytes, 'base64').toString() : result.code
}
const shown = async (caller: TicketCaller, ticketId: string) => {
  const result = await viewTicket(desk.context(), { caller, ticketId })
  if (!result.ok) throw new Error(result.code)
  return result.view.messages.map(({ attachments }) => attachments.map(({ id }) => id))
}
const filesOf = async (caller: TicketCaller, ticketId: string) => {
  const result = await viewTicket(desk.context(), { caller, ticketId })
  if (!result.ok) throw new Error(result.code)
  return result.view.ticket.attachments
}
const stored = async (id: string) =>
  (await desk.database.owner.query('select 1 from control.ticket_attachments where id = $1', [id])).length
const INVALID = { ok: false, code: 'VALIDATION', fields: { attachments: 'invalid' } }

it('stand with their message in the order in which they were sent, and are read by whoever reads it', async () => {
  const [customer, staff, stranger] = [await desk.person(), await desk.worker(), await desk.person()]
  const [one, two, reply] = [await kept(customer, 'one'), await kept(customer, 'two'), await kept(staff, 'reply')]
  const ticketId = await desk.opened(customer, { attachments: [two, one] })
  await desk.say(staff, ticketId, { attachmentIds: [reply] })
  expect(await shown(customer, ticketId)).toEqual([[two, one], [reply]])
  expect([await read(customer, ticketId, reply), await read(staff, ticketId, one)]).toEqual(['reply', 'one'])
  expect([
    await read(stranger, ticketId, one),
    await read(await desk.worker(await desk.category()), ticketId, one),
  ]).toEqual(['NOT_FOUND', 'NOT_FOUND'])
  // A person who sees one ticket reads no file of another through it.
  const own = await desk.opened(stranger)
  expect(await read(stranger, own, one)).toBe('NOT_FOUND')
})

it('of a note are read by staff alone', async () => {
  const [customer, staff] = [await desk.person(), await desk.worker()]
  const ticketId = await desk.opened(customer)
  const file = await kept(staff, 'secret')
  await desk.say(staff, ticketId, { kind: 'note', attachmentIds: [file] })
  expect([await read(staff, ticketId, file), await read(customer, ticketId, file)]).toEqual(['secret', 'NOT_FOUND'])
  expect(await shown(customer, ticketId)).toEqual([[]])
})

it('are listed with their ticket in the order of their messages, those of notes for staff alone, and in no list of tickets', async () => {
  const [customer, staff] = [await desk.person(), await desk.worker()]
  const [one, two, reply, secret] = [
    await kept(customer, 'one'),
    await kept(customer, 'two'),
    await kept(staff, 'reply'),
    await kept(staff, 'secret'),
  ]
  const ticketId = await desk.opened(customer, { attachments: [two, one] })
  await desk.say(staff, ticketId, { kind: 'note', attachmentIds: [secret] })
  await desk.say(staff, ticketId, { attachmentIds: [reply] })
  const other = await desk.opened(customer, { attachments: [await kept(customer, 'of another ticket')] })
  const file = (id: string, size: number) => ({ id, name: 'latest.log', kind: 'text', size })
  expect(await filesOf(customer, ticketId)).toEqual([file(two, 3), file(one, 3), file(reply, 5)])
  expect((await filesOf(staff, ticketId))?.map(({ id }) => id)).toEqual([two, one, secret, reply])
  // A person who reads earlier lines has them.
  const [newest] = await desk.database.db.query<{ id: string }>(
    'select id from control.ticket_messages where ticket_id = $1 order by seq desc limit 1',
    [ticketId],
  )
  const earlier = await viewTicket(desk.context(), { caller: customer, ticketId, before: newest?.id })
  expect(earlier.ok && [earlier.view.messages.length, earlier.view.ticket.attachments]).toEqual([1, undefined])
  const listed = await listTickets(desk.database.db, { caller: customer })
  expect(listed.map(({ id, attachments }) => [id, attachments])).toEqual([
    [other, undefined],
    [ticketId, undefined],
  ])
})

it('of a ticket with very many are the newest ones in its list', async () => {
  const customer = await desk.person()
  const ticketId = await desk.opened(customer)
  await desk.say(customer, ticketId, { attachmentIds: [await kept(customer)] })
  await desk.database.owner.query(
    `insert into control.ticket_attachments (id, author_id, message_id, place, name, kind, media_type, bytes, created_at)
     select gen_random_uuid(), $1, a.message_id, at, at || '.log', 'text', 'text/plain', 'a log', a.created_at
     from control.ticket_attachments a join control.ticket_messages m on m.id = a.message_id, generate_series(6, $3::integer + 6) at
     where m.ticket_id = $2`,
    [customer.userId, ticketId, TICKET_BOUNDS.files],
  )
  const names = (await filesOf(customer, ticketId))?.map(({ name }) => name)
  expect([names?.length, names?.[0], names?.at(-1)]).toEqual([
    TICKET_BOUNDS.files,
    '7.log',
    `${TICKET_BOUNDS.files + 6}.log`,
  ])
})

it('are uploaded and sent once for each key, also at once', async () => {
  const customer = await desk.person()
  const uploads = await Promise.all([keep(customer, 'x', 'one-key'), keep(customer, 'x', 'one-key')])
  const ids = uploads.flatMap((result) => (result.ok ? [result.answer.id] : []))
  const again = await keep(customer, 'x', 'one-key')
  expect(new Set([...ids, again.ok ? again.answer.id : '']).size).toBe(1)
  expect(await keep(customer, 'y', 'one-key')).toEqual({ ok: false, code: 'IDEMPOTENCY_MISMATCH' })
  const ticketId = await desk.opened(customer)
  const said = { key: 'a-message', attachmentIds: ids.slice(0, 1) }
  expect([(await desk.say(customer, ticketId, said)).ok, (await desk.say(customer, ticketId, said)).ok]).toEqual([
    true,
    true,
  ])
  expect(await shown(customer, ticketId)).toEqual([[], [ids[0]]])
})

it('go with one message of their own sender, and a message whose file is missing is not written', async () => {
  const [customer, other] = [await desk.person(), await desk.person()]
  const ticketId = await desk.opened(customer)
  const [mine, theirs] = [await kept(customer), await kept(other)]
  expect(await desk.say(customer, ticketId, { attachmentIds: [mine, theirs] })).toEqual(INVALID)
  expect(await desk.say(customer, ticketId, { attachmentIds: [systemIds.next()] })).toEqual(INVALID)
  expect((await desk.say(customer, ticketId, { attachmentIds: [mine] })).ok).toBe(true)
  expect(await desk.say(customer, ticketId, { attachmentIds: [mine] })).toEqual(INVALID)
  await expect(desk.opened(customer, { attachments: [mine] })).rejects.toThrow('VALIDATION')
  expect(await shown(customer, ticketId)).toEqual([[], [mine]])
})

it('that wait are at most ten, also at once, and are removed by their sender alone', async () => {
  const [customer, other] = [await desk.person(), await desk.person()]
  const results = await Promise.all(Array.from({ length: ATTACHMENT_BOUNDS.unsent + 4 }, () => keep(customer)))
  const ids = results.flatMap((result) => (result.ok ? [result.answer.id] : []))
  expect(ids).toHaveLength(ATTACHMENT_BOUNDS.unsent)
  expect(results.filter((result) => !result.ok)[0]).toEqual({ ok: false, code: 'ATTACHMENT_LIMIT' })
  expect((await keep(other)).ok).toBe(true)
  const [attachmentId = '', sent = ''] = ids
  const drop = (caller: TicketCaller, id: string) =>
    dropAttachment(desk.context(), { userId: caller.userId, attachmentId: id })
  expect(await drop(other, attachmentId)).toEqual({ ok: false, code: 'NOT_FOUND' })
  expect(await drop(customer, attachmentId)).toEqual({ ok: true })
  await desk.opened(customer, { attachments: [sent] })
  expect(await drop(customer, sent)).toEqual({ ok: false, code: 'NOT_FOUND' })
  expect([await stored(attachmentId), await stored(sent)]).toEqual([0, 1])
})

it('have a bound together for each account, also at once, for thirty days', async () => {
  const [customer, other] = [await desk.person(), await desk.person()]
  await desk.filled(customer, { leaving: 15 })
  const results = await Promise.all([keep(customer, '10 letters'), keep(customer, '10 letters')])
  expect(results.map((result) => (result.ok ? 'kept' : result.code)).toSorted()).toEqual(['ATTACHMENT_SPACE', 'kept'])
  expect((await keep(customer, '5 it.')).ok).toBe(true)
  expect((await keep(other, '10 letters')).ok).toBe(true)
  desk.nowMs += ATTACHMENT_WINDOW_MS
  expect((await keep(customer, '10 letters')).ok).toBe(true)
})

it('that were not sent within a day cannot be sent, count no more, and are swept; those of a ticket go with it', async () => {
  const [customer, admin] = [await desk.person(), await desk.person({ isAdmin: true })]
  const [late, sent] = [await kept(customer), await kept(customer)]
  const ticketId = await desk.opened(customer, { attachments: [sent] })
  desk.nowMs += ATTACHMENT_WAITS_MS - 1_000
  await sweep(desk.context())
  expect(await stored(late)).toBe(1)
  desk.nowMs += 2_000
  expect(await desk.say(customer, ticketId, { attachmentIds: [late] })).toEqual(INVALID)
  await sweep(desk.context())
  expect([await stored(late), await stored(sent)]).toEqual([0, 1])
  await deleteTicket(desk.context(), { caller: admin, ticketId, requestId: 'req-1' })
  expect(await stored(sent)).toBe(0)
})

it('are told by their bytes here too', async () => {
  const customer = await desk.person()
  for (const bytes of [new Uint8Array([0x4d, 0x5a, 0]), new Uint8Array()]) {
    const upload = { userId: customer.userId, name: 'latest.log', bytes, key: systemIds.next() }
    expect(await keepAttachment(desk.context(), upload)).toEqual({ ok: false, code: 'ATTACHMENT_REFUSED' })
  }
})

it('are not scanned for whoever has no room for them, and not again for an attempt that was answered', async () => {
  const scanner = new ScannerInMemory()
  const keepScanned = ({ userId }: TicketCaller, text: string, key: string = systemIds.next()) =>
    keepAttachment({ ...desk.context(), scanner }, { userId, name: 'a.log', bytes: Buffer.from(text), key })
  const [customer, full] = [await desk.person(), await desk.person()]
  await keepScanned(customer, 'one', 'the-key')
  expect(await keepScanned(customer, 'one', 'the-key')).toMatchObject({ ok: true, replayed: true })
  expect(await keepScanned(customer, 'another', 'the-key')).toEqual({ ok: false, code: 'IDEMPOTENCY_MISMATCH' })
  for (let at = 1; at < 10; at += 1) await keepScanned(customer, `file ${at}`)
  scanner.seen.length = 0
  expect(await keepScanned(customer, 'eleven')).toEqual({ ok: false, code: 'ATTACHMENT_LIMIT' })
  await desk.filled(full, { leaving: 3 })
  expect(await keepScanned(full, 'four')).toEqual({ ok: false, code: 'ATTACHMENT_SPACE' })
  expect(scanner.seen).toEqual([])
  await keepScanned(full, 'two')
  expect([scanner.seen.map(String), scanner.accounts.at(-1)]).toEqual([['two'], full.userId])
})

it('are scanned before they are kept', async () => {
  const customer = await desk.person()
  const scanner = new ScannerInMemory()
  const keepScanned = (text: string, key: string = systemIds.next()) =>
    keepAttachment(
      { ...desk.context(), scanner },
      { userId: customer.userId, name: 'a.log', bytes: Buffer.from(text), key },
    )
  const count = async () => {
    const rows = await desk.database.owner.query('select 1 from control.ticket_attachments where author_id = $1', [
      customer.userId,
    ])
    return rows.length
  }
  expect(await keepScanned(EICAR)).toEqual({ ok: false, code: 'ATTACHMENT_INFECTED' })
  scanner.largest = 5
  expect(await keepScanned('6 more')).toEqual({ ok: false, code: 'ATTACHMENT_UNSCANNABLE' })
  scanner.fault = 'LATE'
  expect(await keepScanned('short', 'one-key')).toEqual({ ok: false, code: 'ATTACHMENT_NOT_SCANNED' })
  expect(await count()).toBe(0)
  scanner.fault = null
  const [one, again] = [await keepScanned('short', 'one-key'), await keepScanned('short', 'one-key')]
  expect([one, again, await count()]).toMatchObject([{ ok: true, replayed: false }, { ok: true, replayed: true }, 1])
})
