import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { handInvoiceOver, reviveHandOvers } from '../../../control-plane/money/invoices/hand-over.ts'
import { issueInvoice } from '../../../control-plane/money/invoices/issue-invoice.ts'
import { correctInvoice } from '../../../control-plane/money/invoices/correct-invoice.ts'
import { stornoInvoice } from '../../../control-plane/money/invoices/storno-invoice.ts'
import { szamlazzProvider } from '../../../control-plane/money/invoices/providers/szamlazz/szamlazz-provider.ts'
import { startSzamlazz, type SzamlazzEmulator, type SzamlazzFault } from '../../emulators/szamlazz/szamlazz.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { billedPerson, INVOICE_DAY_MS, invoiceRequest } from '../../factories/invoices.ts'
import { orderContext, shopDatabase } from '../../factories/shop.ts'
import { ManualClock } from '../../setup/manual-clock.ts'

const KEY = 'agent-key-of-the-test'
let database: ControlDatabase
let agent: SzamlazzEmulator
let clock: ManualClock
let entered: string | undefined
beforeAll(async () => {
  database = await shopDatabase()
  await database.owner.query('update cms_api.invoicing set szamlazz_enabled = true')
})
afterAll(() => database.close())
beforeEach(async () => {
  agent = await startSzamlazz(KEY)
  clock = new ManualClock(INVOICE_DAY_MS)
  entered = KEY
  timeoutMs = 10_000
})
afterEach(() => agent.close())

/** The time that an answer may take; short where none comes. */
let timeoutMs: number
const context = () => ({
  ...orderContext(database.db, { now: () => clock.now() }),
  invoiceProvider: szamlazzProvider({ url: agent.url, agentKey: () => Promise.resolve(entered), timeoutMs }),
})

/** Issues an invoice that is to be handed over. */
async function sold(person: Parameters<typeof billedPerson>[1] = {}) {
  const request = invoiceRequest(await billedPerson(database.owner, person))
  const issued = await database.db.transaction((tx) => issueInvoice(tx, context(), request))
  if (!issued.ok) throw new Error(issued.code)
  return { ...issued, request }
}

type Row = {
  state: string
  provider_number: string | null
  tries: number
  sends: number
  failure: string | null
  due: Date
}
const rowOf = async (id: string): Promise<Row | undefined> =>
  (
    await database.owner.query<Row>(
      `select state, provider_number, tries, sends, failure, next_try_at as due from control.invoice_hand_overs where id = $1`,
      [id],
    )
  )[0]
const handOver = (id: string) => handInvoiceOver(context(), id)
/** Goes to the moment of the next try, and makes it. */
async function nextTry(id: string): Promise<void> {
  const row = await rowOf(id)
  clock.set(Math.max(clock.now(), row?.due.getTime() ?? 0))
  await handOver(id)
}

describe('handing an invoice to Számlázz.hu', () => {
  it('a failure of ours is thrown, and is not taken for an answer of the provider', async () => {
    const { id } = await sold()
    const handOver = () => Promise.reject(new TypeError('a mistake'))
    const broken = { ...context(), invoiceProvider: { name: 'broken', handOver } }
    await expect(handInvoiceOver(broken, id)).rejects.toThrow('a mistake')
    expect(await rowOf(id)).toMatchObject({ state: expect.not.stringMatching(/failed|done/), failure: null })
  })

  it('Számlázz.hu issues an invoice once, with our number as the order number, and its own number is stored', async () => {
    const { id, number } = await sold()
    await handOver(id)
    await handOver(id)
    expect(await rowOf(id)).toMatchObject({ state: 'sent', provider_number: 'E-BKT-2026-1', tries: 1, sends: 1 })
    expect(agent.issued).toMatchObject([{ externalId: id, orderNumber: number, stornoOf: null }])
    const xml = agent.issued[0]?.xml ?? ''
    for (const part of ['<nev>Őrült Sára</nev>', '<afakulcs>27</afakulcs>', '<bruttoErtek>990</bruttoErtek>'])
      expect(xml).toContain(part)
    expect(agent.calls).toEqual(['action-szamla_agent_xml', 'action-xmlagentxmlfile'])
  })

  it('a customer’s name cannot change the XML of an invoice', async () => {
    const { id } = await sold({ city: '</telepules><fizetve>false' })
    await handOver(id)
    expect(agent.issued[0]?.xml).toContain('&lt;/telepules&gt;&lt;fizetve&gt;false')
  })

  it.each(['lost', 'slow'] as const)('an invoice is not issued twice when the response is %s', async (fault) => {
    const { id } = await sold()
    agent.set(fault)
    // Long enough for the query before it, which is answered.
    if (fault === 'slow') timeoutMs = 3_000
    await handOver(id)
    timeoutMs = 10_000
    const row = await rowOf(id)
    expect(row).toMatchObject({ state: 'waiting', failure: 'NO_ANSWER', sends: 1 })
    expect((row?.due.getTime() ?? 0) - clock.now()).toBeGreaterThanOrEqual(5 * 60_000)
    agent.set('nothing')
    await nextTry(id)
    expect(await rowOf(id)).toMatchObject({ state: 'sent', provider_number: 'E-BKT-2026-1', sends: 1 })
    expect(agent.issued).toHaveLength(1)
  })

  it.each([
    ['down', 'DOWN'],
    ['busy', 'CODE_1'],
    ['signing', 'CODE_55'],
    ['failing', 'STATUS_503'],
    ['garbage', 'UNREADABLE'],
    ['huge', 'TOO_LONG'],
    ['odd code', 'CODE_9999'],
  ] as const satisfies readonly (readonly [SzamlazzFault, string])[])(
    'an invoice waits while the Agent is "%s", and is sent later',
    async (fault, failure) => {
      const { id } = await sold()
      agent.set(fault)
      await handOver(id)
      expect(await rowOf(id)).toMatchObject({ state: 'waiting', failure })
      agent.set('nothing')
      await nextTry(id)
      expect((await rowOf(id))?.state).toBe('sent')
      expect(agent.issued).toHaveLength(1)
    },
  )

  it('a query without a response does not count as an attempt to issue', async () => {
    const { id } = await sold()
    agent.set('slow', 'all')
    timeoutMs = 400
    await handOver(id)
    await nextTry(id)
    expect(await rowOf(id)).toMatchObject({ state: 'waiting', sends: 0, tries: 2 })
  })

  it('an invoice is left to staff after a permanent refusal by the Agent, and after five sends', async () => {
    const refused = await sold()
    agent.set('maths')
    await handOver(refused.id)
    expect(await rowOf(refused.id)).toMatchObject({ state: 'failed', failure: 'CODE_264' })
    const { id } = await sold()
    agent.set('busy')
    for (let at = 0; at < 6; at += 1) await nextTry(id)
    expect(await rowOf(id)).toMatchObject({ state: 'failed', failure: 'SENT_TOO_OFTEN', sends: 5 })
    expect(agent.issued).toEqual([])
  })

  it('an invoice waits while the Agent’s key is missing or wrong', async () => {
    const { id } = await sold()
    entered = undefined
    await handOver(id)
    expect(await rowOf(id)).toMatchObject({ state: 'waiting', failure: 'KEY_MISSING' })
    entered = 'another key'
    await nextTry(id)
    expect(await rowOf(id)).toMatchObject({ state: 'waiting', failure: 'CODE_3', sends: 0 })
    entered = KEY
    await nextTry(id)
    expect((await rowOf(id))?.state).toBe('sent')
  })

  it('another document with the same external id is not mistaken for the invoice', async () => {
    const { id } = await sold()
    agent.issued.push({
      number: 'E-1',
      externalId: id,
      orderNumber: 'SOMEBODY-ELSE',
      xml: '',
      stornoOf: null,
      correctionOf: null,
    })
    await handOver(id)
    expect(await rowOf(id)).toMatchObject({ state: 'failed', failure: 'ANOTHER_DOCUMENT', provider_number: null })
  })

  it('a storno cancels the Agent’s document by its own number, and issues a missing one first', async () => {
    const { id, request } = await sold()
    const { document } = request
    const storno = await database.db.transaction((tx) =>
      stornoInvoice(tx, context(), { document, reason: 'Refund', requestId: 'r' }),
    )
    const stornoId = storno?.id ?? ''
    await handOver(stornoId)
    expect(await rowOf(stornoId)).toMatchObject({ state: 'waiting', failure: 'ORIGINAL_NOT_HANDED_OVER', sends: 0 })
    await handOver(id)
    await nextTry(stornoId)
    expect(await rowOf(stornoId)).toMatchObject({ state: 'sent', provider_number: 'E-BKT-2026-2' })
    expect(agent.issued.map(({ stornoOf }) => stornoOf)).toEqual([null, 'E-BKT-2026-1'])
  })

  it('a correction refers to the Agent’s document by its own number, with our amounts', async () => {
    const { id, request } = await sold()
    const { document } = request
    const reason = { en: 'Smaller', hu: 'Kisebb', de: 'Kleiner' }
    const correction = await database.db.transaction((tx) =>
      correctInvoice(tx, context(), { document, cause: 'refund:1', grossFt: 300n, reason, requestId: 'r' }),
    )
    const correctionId = correction?.id ?? ''
    await handOver(correctionId)
    expect(await rowOf(correctionId)).toMatchObject({ failure: 'ORIGINAL_NOT_HANDED_OVER', sends: 0 })
    await handOver(id)
    await nextTry(correctionId)
    expect(await rowOf(correctionId)).toMatchObject({ state: 'sent', provider_number: 'E-BKT-2026-2' })
    expect(agent.issued.at(-1)).toMatchObject({ orderNumber: correction?.number, correctionOf: 'E-BKT-2026-1' })
    const { xml = '' } = agent.issued.at(-1) ?? {}
    for (const part of ['<nettoErtek>-237<', '<afaErtek>-63<', '<bruttoErtek>-300<']) expect(xml).toContain(part)
    expect(xml.indexOf('<helyesbitoszamla>true<')).toBeLessThan(xml.indexOf('<fizetve>'))
  })

  it('an invoice whose task was lost gets a new one', async () => {
    const { id } = await sold()
    await database.owner.query(`delete from control.outbox where topic = 'invoice-hand-over'`)
    clock.advance(60_000)
    expect(await reviveHandOvers(context())).toBeGreaterThanOrEqual(1)
    const tasks = await database.owner.query(
      `select 1 from control.outbox where topic = 'invoice-hand-over' and payload ->> 'invoiceId' = $1`,
      [id],
    )
    expect(tasks).toHaveLength(1)
  })
})

describe('documents that are not handed over', () => {
  it('receipts are not handed over, and nothing is while staff have not enabled it', async () => {
    expect(await rowOf((await sold({ invoiceType: 'receipt' })).id)).toBeUndefined()
    await database.owner.query('update cms_api.invoicing set szamlazz_enabled = false')
    expect(await rowOf((await sold()).id)).toBeUndefined()
    await database.owner.query('update cms_api.invoicing set szamlazz_enabled = true')
  })
})
