import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type * as z from 'zod'
import { ErrorBody } from '#contracts/http/errors.ts'
import { API_ROUTES, type ApiRouteName } from '#contracts/routes/routes.ts'
import { INTERNAL_CALLS, InternalError, type InternalCallName } from '#contracts/internal-api/calls.ts'
import { openConnectedSite, type ConnectedSite, type Visitor } from '../../factories/connected-site.ts'
import { prize, setWheel } from '../../factories/prizes.ts'
import { callerOf } from '../../factories/shop.ts'
import { countedFields } from '../../support/number-fields.ts'
import { PASSWORD } from '../../support/people.ts'

const SOME_ID = '0192aaaa-0000-7000-8000-000000000001'
const SIZE = { cpuPercent: 100, ramMiB: 1024, storageMiB: 2048, points: 4 }
const REASON = 'The customer asked for it.'
const HUGE = '9'.repeat(400)

/** The texts in the place of a value, as they are written in JSON; `missing` leaves the field out. */
const NO_NUMBERS = ['"1e3"', '"10,5"', '"5000"', '"NaN"', '"١٢"', `"${HUGE}"`, '[5000]', '[]', '{}', 'null', 'true']
const BEYOND = ['9223372036854775808', '1e309', '-1e309', '-9223372036854775808', HUGE]
/** Not JSON at all: the field cannot be named. */
const NO_JSON = ['NaN', 'Infinity', '10,5', '٣', '0x10', '+5', '.5']
const BAD_NUMBERS = [...NO_NUMBERS, ...BEYOND, '1.5']
const NEGATIVE = ['-1', '-0.5']
const BAD_TEXTS = ['0', '-1', '1.5', '[]', '["A"]', '{}', 'null', 'true']

type Kind = {
  readonly values: readonly string[]
  /** Whether the field must be there. */
  readonly needed: boolean
}
/** At least one of something. */
const SOME: Kind = { values: [...BAD_NUMBERS, ...NEGATIVE, '0'], needed: true }
const SOME_OR_NOTHING_SAID: Kind = { ...SOME, needed: false }
/** A price that was shown: 0 is one. */
const SEEN: Kind = { values: [...BAD_NUMBERS, ...NEGATIVE], needed: false }
/** A change that was shown: given back where it is negative. */
const SEEN_CHANGE: Kind = { values: [...BAD_NUMBERS, '-0.5'], needed: false }
/** Amounts that staff type have a bound of their own. */
const TYPED: Kind = { ...SOME, values: [...SOME.values, '10000001'] }
const MONTHS: Kind = { values: [...SOME.values, '7', '12'], needed: true }
const WORD: Kind = { values: BAD_TEXTS, needed: true }
const WORD_OR_NONE: Kind = { values: BAD_TEXTS, needed: false }
const TIER: Kind = { values: [...BAD_TEXTS, '"none"', '"gold"', '"ULTIMUS"'], needed: true }

type Row = {
  readonly body: object
  readonly fields: Readonly<Record<string, Kind>>
  readonly prefix?: string
  /** For administrators. */
  readonly staff?: boolean
}

const RESOURCES = {
  'resources.cpuPercent': SOME,
  'resources.ramMiB': SOME,
  'resources.storageMiB': SOME,
  'resources.points': SOME_OR_NOTHING_SAID,
}
const ORDERED = { ...RESOURCES, months: MONTHS, couponCode: WORD_OR_NONE }
const CONVERTED = { resources: SIZE, months: 1, couponCode: 'A' }
const offer = { serviceId: SOME_ID, ...CONVERTED }
const CREDIT = { userId: SOME_ID, direction: 'credit', bucket: 'money', amountFt: 500, reason: REASON }

/** The money in each route's request, and a request that is right but for that. */
const ROUTES: Partial<Record<ApiRouteName, Row>> = {
  'POST /api/orders/quote': { body: offer, fields: ORDERED },
  'POST /api/orders': {
    body: { ...offer, name: 'Mine', expectedTotalFt: 990 },
    fields: { ...ORDERED, expectedTotalFt: SEEN },
  },
  'POST /api/balance/topup': { body: { amount: 5000, method: 'sandbox', acceptTerms: true }, fields: { amount: SOME } },
  'POST /api/server/{id}/renew': {
    body: { months: 1, expectedTotalFt: 990 },
    fields: { months: MONTHS, expectedTotalFt: SEEN },
  },
  'POST /api/server/{id}/modification/quote': { body: { resources: SIZE }, fields: RESOURCES },
  'POST /api/server/{id}/modification': {
    body: { resources: SIZE, expectedChargeFt: 5 },
    fields: { ...RESOURCES, expectedChargeFt: SEEN_CHANGE },
  },
  'POST /api/server/{id}/package': {
    body: { packageId: SOME_ID, expectedChargeFt: 5, expectedMonthlyFt: 990 },
    fields: { expectedChargeFt: SEEN, expectedMonthlyFt: SEEN },
  },
  'POST /api/premium': {
    body: { tier: 'essentials', expectedPriceFt: 990 },
    fields: { tier: TIER, expectedPriceFt: SEEN },
  },
  'POST /api/spin/buy': { body: { count: 1, expectedPriceFt: 300 }, fields: { count: SOME, expectedPriceFt: SEEN } },
  'POST /api/spin/coupon': { body: { code: 'SPIN' }, fields: { code: WORD } },
  'POST /api/user/deletion': { body: { password: PASSWORD, waiveBalanceFt: 0 }, fields: { waiveBalanceFt: SEEN } },
  'POST /api/server/{id}/conversion/quote': { body: CONVERTED, fields: ORDERED },
  'POST /api/server/{id}/conversion': {
    body: { ...CONVERTED, expectedTotalFt: 990 },
    fields: { ...ORDERED, expectedTotalFt: SEEN },
  },
  'POST /api/withdrawal/confirm': {
    body: { kind: 'order', documentId: SOME_ID, expectedBackFt: 990 },
    fields: { expectedBackFt: SEEN },
  },
  'POST /api/admin/credits': { body: CREDIT, fields: { amountFt: TYPED }, staff: true },
  'POST /api/admin/payments/{id}/refund': {
    body: { amountFt: 500, reason: REASON },
    fields: { amountFt: TYPED },
    staff: true,
  },
  'POST /api/admin/payments/{id}/dispute': {
    body: { outcome: 'lost', reason: REASON },
    fields: { amountFt: { ...TYPED, needed: false } },
    staff: true,
  },
  'POST /api/admin/servers/{id}/refund': {
    body: { reason: REASON },
    fields: { amountFt: { ...TYPED, needed: false } },
    staff: true,
  },
  'POST /api/admin/unmatched/{id}': {
    body: { userId: SOME_ID, reason: REASON },
    fields: { amountFt: { ...TYPED, needed: false } },
    staff: true,
  },
}

/** The same of the calls between the site and the control plane; `caller` is added. */
const CALLS: Partial<Record<InternalCallName, Row>> = {
  quote: { body: { request: offer }, fields: ORDERED, prefix: 'request.' },
  order: {
    body: { request: { ...offer, name: 'Mine' } },
    fields: { ...ORDERED, expectedTotalFt: SEEN },
    prefix: 'request.',
  },
  topup: {
    body: { request: { amount: 5000, method: 'sandbox', acceptTerms: true }, returnUrl: 'http://site.test/ok' },
    fields: { amount: SOME },
    prefix: 'request.',
  },
  'assign-unmatched': {
    body: { unmatchedId: SOME_ID, userId: SOME_ID, reason: REASON },
    fields: { amountFt: SOME_OR_NOTHING_SAID },
  },
  'refund-payment': { body: { paymentId: SOME_ID, amountFt: 500, reason: REASON }, fields: { amountFt: SOME } },
  'refund-server': { body: { serverId: SOME_ID, reason: REASON }, fields: { amountFt: SOME_OR_NOTHING_SAID } },
  'close-dispute': {
    body: { paymentId: SOME_ID, outcome: 'lost', reason: REASON },
    fields: { amountFt: SOME_OR_NOTHING_SAID },
  },
  'manual-credit': { body: CREDIT, fields: { amountFt: TYPED } },
  'conversion-quote': {
    body: { serverId: SOME_ID, request: CONVERTED },
    fields: ORDERED,
    prefix: 'request.',
  },
  'convert-server': {
    body: { serverId: SOME_ID, request: CONVERTED },
    fields: { ...ORDERED, expectedTotalFt: SEEN },
    prefix: 'request.',
  },
  'confirm-withdrawal': {
    body: { request: { kind: 'order', documentId: SOME_ID } },
    fields: { expectedBackFt: SEEN },
    prefix: 'request.',
  },
  'buy-premium': {
    body: { request: { tier: 'maximus' } },
    fields: { tier: TIER, expectedPriceFt: SEEN },
    prefix: 'request.',
  },
  'buy-spins': { body: { request: { count: 1 } }, fields: { count: SOME, expectedPriceFt: SEEN }, prefix: 'request.' },
  'spin-coupon': { body: { request: { code: 'SPIN' } }, fields: { code: WORD }, prefix: 'request.' },
  'renewal-quote': { body: { serverId: SOME_ID, months: 1 }, fields: { months: MONTHS } },
  renew: {
    body: { serverId: SOME_ID, request: { months: 1 } },
    fields: { months: MONTHS, expectedTotalFt: SEEN },
    prefix: 'request.',
  },
  'modification-quote': {
    body: { serverId: SOME_ID, request: { resources: SIZE } },
    fields: RESOURCES,
    prefix: 'request.',
  },
  'modify-server': {
    body: { serverId: SOME_ID, request: { resources: SIZE } },
    fields: { ...RESOURCES, expectedChargeFt: SEEN_CHANGE },
    prefix: 'request.',
  },
  'change-package': {
    body: { serverId: SOME_ID, request: { packageId: SOME_ID } },
    fields: { expectedChargeFt: SEEN, expectedMonthlyFt: SEEN },
    prefix: 'request.',
  },
  'erase-person': {
    body: { userId: SOME_ID, email: null, waivedFt: 0 },
    fields: { waivedFt: { ...SEEN, needed: true } },
  },
}

/** Numbers and codes that are no money, by the name of their route or call: which part of a list, of a picture, of a mail. */
const NO_MONEY: readonly (readonly [RegExp, RegExp])[] = [
  [/./, /^limit$/],
  [/^export-person$/, /^offset$/],
  [/^POST \/api\/user\/picture$/, /^(x|y|size)$/],
  // The version of the settings that a change was made on.
  [/startup/, /^(change\.)?version$/],
  // The patience of a stop, in seconds.
  [/operation$/, /^(change\.)?(seen\.)?stopTimeoutS$/],
  // How long a link works: one of three.
  [/log-share/, /^(request\.)?hours$/],
  // The text that the site writes into a mail of its own.
  [/^send-mail$/, /^order\.content\.params\./],
  // The places of console lines that stay out of a ticket.
  [/ticket$/, /^(request\.)?server\.withoutLines/],
  // The code of a second factor, or of a mail.
  [/ \/api\/(auth|user)\//, /^code$/],
]
const isMoney = (name: string, field: string): boolean =>
  !NO_MONEY.some(([names, fields]) => names.test(name) && fields.test(field))
const counted = (name: string, schema: z.ZodType | undefined): string[] =>
  schema ? countedFields(schema).filter((field) => isMoney(name, field)) : []

/** The body with another text in the place of a field: `undefined` leaves the field out. */
function written(body: object, field: string, value: string | undefined): string {
  const copy = structuredClone(body) as Record<string, unknown>
  const steps = field.split('.')
  const last = steps.pop() ?? ''
  const holder = steps.reduce((part, step) => part[step] as Record<string, unknown>, copy)
  if (value === undefined) delete holder[last]
  else holder[last] = '@@here@@'
  return JSON.stringify(copy).replace('"@@here@@"', value ?? '')
}

let connected: ConnectedSite
const visitOf = ({ staff = false }: Row): Promise<Visitor> => connected.visit({ isAdmin: staff })
beforeAll(async () => {
  connected = await openConnectedSite()
  await setWheel(connected.database.owner, [prize('money', 100)])
})
afterAll(() => connected.close())

describe('bad amounts', () => {
  it('every money field of a route has bad values', () => {
    const rows = Object.entries(API_ROUTES).map(([name, route]) => {
      const { input } = route as { input?: z.ZodType }
      return [name, counted(name, input)] as const
    })
    const known = Object.entries(ROUTES).map(([name, { fields }]) => [name, Object.keys(fields).sort()])
    expect(Object.fromEntries(rows.filter(([, fields]) => fields.length > 0))).toEqual(Object.fromEntries(known))
  })

  it('every money field in an address has bad values: tests/integration/api/bad-months.test.ts', () => {
    const rows = Object.entries(API_ROUTES).map(([name, route]) => {
      const { query } = route as { query?: z.ZodType }
      return [name, counted(name, query)] as const
    })
    expect(rows.filter(([, fields]) => fields.length > 0)).toEqual([['GET /api/server/{id}/renewal', ['months']]])
  })

  it('every field of an internal call has bad values', () => {
    const rows = Object.entries(INTERNAL_CALLS).map(
      ([name, { input }]) => [name, counted(name, input as z.ZodType)] as const,
    )
    const known = Object.entries(CALLS).map(([name, { fields, prefix = '' }]) => [
      name,
      Object.keys(fields)
        .map((field) => prefix + field)
        .sort(),
    ])
    expect(Object.fromEntries(rows.filter(([, fields]) => fields.length > 0))).toEqual(Object.fromEntries(known))
  })
})

const cases = (rows: Readonly<Record<string, Row>>) =>
  Object.entries(rows).flatMap(([name, row]) =>
    Object.entries(row.fields).map(([field, kind]) => [name, field, { row, kind }] as const),
  )
const valuesOf = ({ values, needed }: Kind): (string | undefined)[] => [...values, ...(needed ? [undefined] : [])]

describe.each(cases(ROUTES))('%s refuses a bad "%s"', (name, field, { row, kind }) => {
  it('with 400 and the name of the field, and writes nothing', async () => {
    const { headers } = await visitOf(row)
    const before = await connected.counts()
    const answers: unknown[] = []
    const send = (text: string) =>
      connected.site.ask(name as ApiRouteName, {
        headers,
        file: new Uint8Array(Buffer.from(text)),
      })
    for (const value of valuesOf(kind)) {
      const { status, json } = await send(written(row.body, field, value))
      const { code, message, fields } = ErrorBody.parse(json).error
      const isSaid = message !== '' && (fields?.[field] ?? '') !== ''
      const isCode = code === (field === 'count' && isAnyNumber(value) ? 'SPIN_COUNT_INVALID' : 'VALIDATION')
      if (status !== 400 || !isCode || !isSaid) answers.push({ value, status, code, fields })
    }
    expect(answers).toEqual([])
    expect(await connected.counts()).toEqual(before)
  })
})

/** A number that is no count of spins is 'Invalid spin count!' (specification section 5). */
const isAnyNumber = (value: string | undefined): boolean =>
  value !== undefined && typeof JSON.parse(value) === 'number' && Number.isFinite(JSON.parse(value))

describe.each(cases(CALLS))('the call "%s" refuses a bad "%s"', (name, field, { row, kind }) => {
  it('with 400 and the name of the field, and writes nothing', async () => {
    const caller = { ...callerOf(SOME_ID), isAdmin: true }
    const before = await connected.counts()
    const answers: unknown[] = []
    const path = `${row.prefix ?? ''}${field}`
    for (const value of valuesOf(kind)) {
      const { status, json } = await connected.callRaw(name, written({ ...row.body, caller }, path, value))
      const { code, fields } = InternalError.parse(json).error
      const isCount = code === 'SPIN_COUNT_INVALID' && fields?.['count'] !== undefined
      const isRefused = (code === 'VALIDATION' && fields?.[path] !== undefined) || isCount
      if (status !== 400 || !isRefused) answers.push({ value, status, code, fields })
    }
    expect(answers).toEqual([])
    expect(await connected.counts()).toEqual(before)
  })
})

it('a body that is not JSON gets a 400 everywhere, and nothing is written', async () => {
  for (const [name, row] of Object.entries(ROUTES)) {
    const { headers } = await visitOf(row)
    const before = await connected.counts()
    for (const value of NO_JSON) {
      const file = new Uint8Array(Buffer.from(written(row.body, Object.keys(row.fields)[0] ?? '', value)))
      const { status, json } = await connected.site.ask(name as ApiRouteName, { headers, file })
      expect([name, value, status, ErrorBody.parse(json).error.code]).toEqual([name, value, 400, 'BAD_REQUEST'])
    }
    expect(await connected.counts()).toEqual(before)
  }
})

it('the same requests with a valid amount are accepted', async () => {
  const { headers } = await connected.visit()
  const before = await connected.counts()
  const { status, json } = await connected.site.ask('POST /api/balance/topup', {
    headers,
    body: { amount: 500, method: 'sandbox', acceptTerms: true },
  })
  expect([status, json]).toMatchObject([201, { transactionId: expect.any(String), redirectUrl: expect.any(String) }])
  expect(await connected.counts()).not.toEqual(before)
})
