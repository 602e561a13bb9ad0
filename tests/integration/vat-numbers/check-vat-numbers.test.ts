import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { VAT_CHECK_LASTS_MS } from '#domain/billing/tax-rule.ts'
import { DAY_MS } from '#domain/billing/period.ts'
import { taxOfCustomer } from '../../../control-plane/money/tax/tax-of-sale.ts'
import { checkVatNumbers } from '../../../control-plane/money/tax/check-vat-numbers.ts'
import { readTaxProfile } from '../../../control-plane/money/tax/read-tax-profile.ts'
import { viesOffice } from '../../../control-plane/money/tax/vies-office.ts'
import { startVies, type ViesEmulator, type ViesFault } from '../../emulators/vies/vies.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { billedPerson } from '../../factories/invoices.ts'
import { orderContext, shopDatabase } from '../../factories/shop.ts'

const START_MS = Date.UTC(2026, 5, 1)
const NUMBER = 'DE136695976'

let database: ControlDatabase
let vies: ViesEmulator
let nowMs = START_MS
beforeAll(async () => {
  database = await shopDatabase()
  vies = await startVies()
  await database.owner.query(`update cms_api.invoicing set seller_eu_tax_number = 'HU12345678'`)
})
afterAll(async () => {
  await vies.close()
  await database.close()
})
beforeEach(async () => {
  nowMs = START_MS
  vies.set('nothing')
  vies.asked.length = 0
  vies.known.clear()
  vies.known.add(NUMBER)
  await database.owner.query('delete from control.vat_checks')
  await database.owner.query('delete from cms_api.invoice_contacts')
})

const context = () => orderContext(database.db, { now: () => nowMs })
const run = (timeoutMs = 10_000) => {
  const vatOffice = viesOffice({ url: vies.url, timeoutMs })
  return checkVatNumbers({ ...context(), vatOffice })
}
const profile = (userId: string) => readTaxProfile(context(), { userId })
const ruleOf = async (userId: string) => (await taxOfCustomer(database.db, { userId, atMs: nowMs })).ruleId

async function business(country = 'DE', taxNumber = NUMBER): Promise<string> {
  const userId = await billedPerson(database.owner, { country })
  await setProfile(userId, country, taxNumber)
  return userId
}
const setProfile = (userId: string, country: string, taxNumber: string) =>
  database.owner.query('update cms_api.invoice_contacts set country = $2, tax_number = $3 where id = $1', [
    userId,
    country,
    taxNumber,
  ])

describe('a VAT number of another member state', () => {
  it('reverse charge applies once VIES confirmed the number, with date and proof', async () => {
    const userId = await business()
    expect([await ruleOf(userId), (await profile(userId)).check.state]).toEqual(['eu-consumer-DE', 'waiting'])
    expect(await run()).toBe(1)
    expect(await profile(userId)).toEqual({
      kind: 'eu-reverse-charge',
      country: 'DE',
      ratePercent: 0,
      check: {
        state: 'valid',
        number: NUMBER,
        checkedAt: new Date(START_MS).toISOString(),
        proof: 'WAPIAAAA136695976',
      },
    })
    expect(vies.asked).toEqual([
      { countryCode: 'DE', vatNumber: '136695976', requesterMemberStateCode: 'HU', requesterNumber: '12345678' },
    ])
    expect(await run()).toBe(0)
  })

  it('a failure of ours is thrown, and is not recorded as one of VIES', async () => {
    await business()
    const vatOffice = { check: () => Promise.reject(new TypeError('a mistake')) }
    await expect(checkVatNumbers({ ...context(), vatOffice })).rejects.toThrow('a mistake')
    expect(await database.owner.query('select tries, failure from control.vat_checks')).toEqual([
      { tries: 0, failure: null },
    ])
  })

  it.each(['136695976', 'de 136-695.976', 'DE136695976'])('a number may be written %s', async (written) => {
    const userId = await business('DE', written)
    await run()
    expect(await ruleOf(userId)).toBe('eu-reverse-charge')
  })

  it('with a number unknown to VIES, or not a number, the customer pays as a consumer, and it is rechecked after a week', async () => {
    const [unknown, none] = [await business('DE', 'DE999999999'), await business('FR', 'FRAB1')]
    expect(await run()).toBe(2)
    for (const userId of [unknown, none]) expect((await profile(userId)).check.state).toBe('invalid')
    expect(await ruleOf(unknown)).toBe('eu-consumer-DE')
    nowMs += 7 * DAY_MS
    vies.known.add('DE999999999')
    expect(await run()).toBe(2)
    expect(await ruleOf(unknown)).toBe('eu-reverse-charge')
  })

  it.each([
    ['state down', 'MS_UNAVAILABLE'],
    ['busy', 'GLOBAL_MAX_CONCURRENT_REQ'],
    ['silence', 'NO_ANSWER'],
    ['cut', 'NO_ANSWER'],
    ['garbage', 'MALFORMED'],
    ['odd', 'MALFORMED'],
    ['other', 'ANOTHER_NUMBER'],
    ['huge', 'TOO_LONG'],
    ['failing', 'MALFORMED'],
  ] as const)(
    'while VIES fails (%s) the customer counts as a consumer, and the number is rechecked',
    async (fault: ViesFault, failure) => {
      const userId = await business()
      vies.set(fault)
      expect(await run(fault === 'silence' ? 500 : undefined)).toBe(1)
      expect([await ruleOf(userId), (await profile(userId)).check.state]).toEqual(['eu-consumer-DE', 'unavailable'])
      const [row] = await database.owner.query('select failure, tries from control.vat_checks where user_id = $1', [
        userId,
      ])
      expect(row).toEqual({ failure, tries: 1 })
      expect(await run()).toBe(0)
      vies.set('nothing')
      nowMs += 2 * 60_000
      expect(await run()).toBe(1)
      expect(await ruleOf(userId)).toBe('eu-reverse-charge')
    },
  )

  it('if our own number is refused, the check is made without it', async () => {
    const userId = await business()
    vies.set('asker')
    await run()
    expect((await profile(userId)).check).toMatchObject({ state: 'valid', proof: null })
  })

  it('a changed number or country is rechecked', async () => {
    const userId = await business()
    await run()
    await setProfile(userId, 'DE', 'DE999999999')
    expect([await ruleOf(userId), (await profile(userId)).check.state]).toEqual(['eu-consumer-DE', 'waiting'])
    await setProfile(userId, 'AT', NUMBER)
    expect(await ruleOf(userId)).toBe('eu-consumer-AT')
    await run()
    expect((await profile(userId)).check.state).toBe('none')
    expect(await ruleOf(userId)).toBe('eu-consumer-AT')
  })

  it('a result that arrives after a change is not used for the new number', async () => {
    const userId = await business()
    const inner = { check: async () => ({ isValid: false, consultationNumber: null }) }
    await checkVatNumbers({
      ...context(),
      vatOffice: {
        check: async () => {
          await setProfile(userId, 'DE', 'DE999999999')
          await checkVatNumbers({ ...context(), vatOffice: inner })
          return { isValid: true, consultationNumber: null }
        },
      },
    })
    expect((await profile(userId)).check).toMatchObject({ state: 'invalid', number: 'DE999999999' })
  })

  it('a result is valid for thirty days, and is rechecked before they end', async () => {
    const userId = await business()
    await run()
    nowMs = START_MS + VAT_CHECK_LASTS_MS - 5 * DAY_MS
    vies.set('state down')
    expect(await run()).toBe(1)
    expect(await ruleOf(userId)).toBe('eu-reverse-charge')
    nowMs = START_MS + VAT_CHECK_LASTS_MS + 1
    expect([await ruleOf(userId), (await profile(userId)).check.state]).toEqual(['eu-consumer-DE', 'unavailable'])
    vies.set('nothing')
    await run()
    expect(await ruleOf(userId)).toBe('eu-reverse-charge')
  })
})

describe('the number of checks at VIES', () => {
  it('Hungarians, people outside the EU, and invalid numbers are not checked', async () => {
    for (const [country, written] of [
      ['HU', '12345678-2-42'],
      ['US', '12-3456789'],
      ['DE', '--'],
    ] as const) {
      await business(country, written)
    }
    expect([await run(), vies.asked.length]).toEqual([0, 0])
  })

  it('a run checks ten numbers, one after the other, each in one process', async () => {
    for (let index = 0; index < 12; index += 1) await business('DE', `DE10000000${index % 10}${index}`.slice(0, 11))
    const counts = await Promise.all([run(), run()])
    expect(counts.reduce((all, count) => all + count, 0)).toBe(12)
    expect(Math.max(...counts)).toBeLessThanOrEqual(10)
    expect(vies.asked).toHaveLength(12)
  })

  it('a number that two processes found is checked once: the slower one leaves the other’s result', async () => {
    const userId = await business()
    const deps = { ...context(), vatOffice: viesOffice({ url: vies.url, timeoutMs: 10_000 }) }
    let isRead = false
    const slow: Pick<typeof deps.db, 'query' | 'transaction'> = {
      query: async (text, values) => {
        const rows = await deps.db.query(text, values)
        if (!isRead) {
          isRead = true
          expect(await run()).toBe(1)
        }
        return rows as never
      },
      transaction: (work) => deps.db.transaction(work),
    }
    expect(await checkVatNumbers({ ...deps, db: { ...deps.db, ...slow } })).toBe(0)
    expect([vies.asked.length, await ruleOf(userId)]).toEqual([1, 'eu-reverse-charge'])
  })

  it('a removed number is not checked', async () => {
    const userId = await business()
    vies.set('state down')
    await run()
    await setProfile(userId, 'DE', '')
    nowMs += DAY_MS
    expect([await run(), vies.asked.length]).toEqual([0, 1])
    expect(await database.owner.query('select 1 from control.vat_checks')).toEqual([])
  })
})
