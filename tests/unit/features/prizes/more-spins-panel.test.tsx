// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import type { WheelView } from '#contracts/http/spin.ts'
import { MoreSpinsPanel } from '../../../../src/features/prizes/more-spins-panel.tsx'
import { eventually, refused, shownPage } from '../../../support/shown-page.tsx'
import type { ShownPage } from '../../../support/shown-page.tsx'

let page: ShownPage
afterEach(() => {
  page.close()
  vi.unstubAllGlobals()
})

const view: WheelView = {
  isEnabled: true,
  spinCount: 0,
  nextFreeSpinAt: null,
  rerolls: 0,
  granted: 0,
  bought: 0,
  fields: [],
  serverPackage: null,
  serverSeedHash: null,
  buying: { isOn: true, priceFt: 200, most: 100 },
  legalNote: '',
  balanceFt: 5_000,
  coupons: [],
}

const show = async (answers: Parameters<typeof shownPage>[1]) => {
  page = shownPage(<MoreSpinsPanel view={view} />, {
    'GET /api/switches': () => refused('NOT_FOUND'),
    ...answers,
  })
  return {
    count: await page.see<HTMLInputElement>('[name=count]'),
    code: await page.see<HTMLInputElement>('[name=code]'),
    press: async (text: string) => (await page.see<HTMLButtonElement>('button', text)).click(),
  }
}
const sent = () => page.calls.filter(({ name }) => name.startsWith('POST'))

test.each(['', '0', '101', '1.5', '1e1', 'two'])(
  'the count %j is named at its field and buys nothing',
  async (typed) => {
    const { count, press } = await show({})
    page.type(count, typed)
    await press('Buy')
    await page.see('.field__err', 'Invalid spin count!')
    expect(count.value).toBe(typed)
    expect(sent()).toEqual([])
  },
)

test('spins are bought for the price that the button shows, and again under the same key after a lost answer', async () => {
  const answers = [refused('CONTROL_PLANE_UNAVAILABLE'), Response.json(view)]
  const { count, press } = await show({ 'POST /api/spin/buy': () => answers.shift() ?? refused('INTERNAL') })
  page.type(count, ' 3 ')
  await press('600')
  await page.see('.field__err')
  expect(count.value).toBe(' 3 ')
  await press('600')
  await eventually(() => expect(sent()).toHaveLength(2))
  expect(sent().map(({ body }) => body)).toEqual([1, 2].map(() => ({ count: 3, expectedPriceFt: 600 })))
  expect(new Set(sent().map(({ key }) => key)).size).toBe(1)
})

test('a coupon that is refused keeps its code in the field, and one that counts leaves it empty', async () => {
  const answers = [refused('COUPON_EXPIRED'), Response.json(view)]
  const { code, press } = await show({ 'POST /api/spin/coupon': () => answers.shift() ?? refused('INTERNAL') })
  page.type(code, ' SPIN5 ')
  await press('Redeem')
  await page.see('.field__err', 'The words of COUPON_EXPIRED.')
  expect(code.value).toBe(' SPIN5 ')
  await press('Redeem')
  await eventually(() => expect(code.value).toBe(''))
  expect(sent().map(({ body }) => body)).toEqual([{ code: 'SPIN5' }, { code: 'SPIN5' }])
})
