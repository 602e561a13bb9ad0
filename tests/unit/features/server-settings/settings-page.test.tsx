// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { ToastProvider } from '../../../../src/ui/surfaces/toast.tsx'
import { ServerSettingsPage } from '../../../../src/features/server-settings/settings-page.tsx'
import { OWNER_ID, SHOWN_SERVER_ID, shownServer, shownUser } from '../../../factories/shown-server.ts'
import { eventually, refused, shownPage } from '../../../support/shown-page.tsx'
import type { Answer, ShownPage } from '../../../support/shown-page.tsx'

const ID = '01890000-0000-7000-8000-000000000001'
const OTHER_ID = '01890000-0000-7000-8000-0000000000cc'
const LATER = '2100-07-01T10:00:00.000Z'
const AT = `/api/server/${SHOWN_SERVER_ID}`
const resources = { cpuPercent: 100, ramMiB: 1024, storageMiB: 2048 }
const small = { ...resources, id: ID, name: 'Small', description: '', serverType: '' }
const service = {
  id: ID,
  slug: 'bot',
  name: 'Bot',
  description: '',
  category: 'bot',
  serverTemplate: null,
  machine: [],
  banner: null,
  icon: null,
  orderable: true,
  highlighted: false,
  resources: null,
  operatingSystems: [],
  points: null,
  startingPriceFt: 1500,
  unavailableReason: null,
  packages: [{ ...small, pricePerMonthFt: 1500, orderable: true, highlighted: false }],
}
const quote = (totalFt = 1500) => ({
  monthlyFt: totalFt,
  months: 1,
  discountFt: 0,
  totalFt,
  netFt: 1181,
  vatFt: 319,
  vatPercent: 27,
  balanceFt: 5000,
  balanceAfterFt: 3500,
  missingFt: 0,
  expiresAt: LATER,
  renewalFt: totalFt,
  paidFrom: LATER,
})
const operation = { timeZone: null, autoStart: true, stopTimeoutS: 30, needsRestart: false }
const settings = { name: 'Bob', description: '', ...operation }
const switches = { ordering: true, tickets: true, serverStart: true, couponUse: true, registration: true }

let page: ShownPage
afterEach(() => {
  page.close()
  vi.unstubAllGlobals()
})

const open = (answers: Record<string, Answer>, { isTest = true, server = shownServer(), me = shownUser() } = {}) => {
  page = shownPage(
    <ToastProvider closeLabel="Close">
      <ServerSettingsPage id={SHOWN_SERVER_ID} withdrawal={null} sftp={() => null} filesSize={() => null} />
    </ToastProvider>,
    {
      'GET /api/user/me': () => Response.json(me),
      'GET /api/user/servers': () => Response.json([]),
      [`GET ${AT}`]: () => Response.json(server),
      [`GET ${AT}/size`]: () => Response.json({ serviceId: ID, packageId: ID, isTest, resources }),
      [`GET ${AT}/settings`]: () => Response.json(settings),
      'GET /api/services': () => Response.json([service]),
      'GET /api/switches': () => Response.json(switches),
      [`POST ${AT}/conversion/quote`]: () => Response.json(quote()),
      ...answers,
    },
  )
}
const buy = async () => {
  const ask = await page.see('.renewal > button:not([aria-disabled])', 'Buy for 1,500 Ft')
  ask.click()
  const confirm = await page.see('dialog button', 'Buy for 1,500 Ft')
  confirm.click()
}
const apply = async (code: string) => {
  const field = await page.see<HTMLInputElement>('.renewal form input')
  page.type(field, code)
  field.form?.requestSubmit()
}

test('a test server that was bought: the page says so when its panel is gone, and the focus is there', async () => {
  let isTest = true
  open({
    [`GET ${AT}/size`]: () => Response.json({ serviceId: ID, packageId: ID, isTest, resources }),
    [`POST ${AT}/conversion`]: () => {
      isTest = false
      return Response.json({ orderId: ID, totalFt: 1500, server: shownServer({ expiry: LATER }) })
    },
  })
  await buy()
  await eventually(() => expect(page.find('.panel', 'Keep this test server')).toBeUndefined())
  const said = await page.see('[role=status]', /^The server is yours until 1 July 2100/)
  await eventually(() => expect(document.activeElement).toBe(said))
})

test.each([
  ['CONTROL_PLANE_UNAVAILABLE', "We don't know whether your order arrived"],
  ['IN_PROGRESS', "We don't know whether your order arrived"],
  ['NO_CAPACITY', "You weren't charged."],
] as const)('a purchase of a test server that ended with %s', async (code, words) => {
  open({ [`POST ${AT}/conversion`]: () => refused(code) })
  await buy()
  expect(await page.see('[role=alert]', words)).toBeDefined()
})

test('a price that could not be had orders nothing, so nothing is unknown', async () => {
  open({ [`POST ${AT}/conversion/quote`]: () => refused('CONTROL_PLANE_UNAVAILABLE') })
  expect(await page.see('[role=alert]', "You weren't charged.")).toBeDefined()
})

test('another price is asked for again before it can be paid', async () => {
  let totalFt = 1500
  open({
    [`POST ${AT}/conversion/quote`]: () => Response.json(quote(totalFt)),
    [`POST ${AT}/conversion`]: () => {
      totalFt = 1700
      return refused('PRICE_CHANGED')
    },
  })
  await buy()
  await page.see('.renewal > button:not([aria-disabled])', 'Buy for 1,700 Ft')
  expect(await page.see('[role=alert]', "You weren't charged.")).toBeDefined()
})

test('a wrong coupon is refused beside the price without it, and a right one can be left out', async () => {
  open({
    [`POST ${AT}/conversion/quote`]: ({ body }) => {
      const { couponCode } = body as { couponCode?: string }
      if (couponCode === 'WRONG') return refused('COUPON_NOT_FOUND')
      if (couponCode === 'RIGHT') return Response.json(quote(1000))
      return Response.json(quote())
    },
  })
  await page.see('.renewal > button', 'Buy for 1,500 Ft')
  await apply('WRONG')
  await page.see('form', 'The words of COUPON_NOT_FOUND.')
  expect(page.find('.renewal > button', 'Buy for 1,500 Ft')).toBeDefined()
  await apply('RIGHT')
  await page.see('.renewal > button:not([aria-disabled])', 'Buy for 1,000 Ft')
  const remove = await page.see('.coupon button', 'Remove')
  remove.click()
  await page.see('.renewal > button:not([aria-disabled])', 'Buy for 1,500 Ft')
})

test('ordering that is closed and coupons that are switched off are told beforehand', async () => {
  open({ 'GET /api/switches': () => Response.json({ ...switches, ordering: false, couponUse: false }) })
  await page.see('.notice', 'Ordering is closed right now.')
  await page.see('.renewal > button[aria-disabled]', 'Buy for 1,500 Ft')
  await page.see('p', "Coupons can't be used right now.")
  expect(page.find('.renewal form input')).toBeUndefined()
})

test('ordering that was closed meanwhile is told once, by the notice', async () => {
  open({ [`POST ${AT}/conversion/quote`]: () => refused('ORDERING_DISABLED') })
  await page.see('.notice', 'Ordering is closed right now.')
  expect(page.find('[role=alert]')).toBeUndefined()
})

const renewal = (missingFt = 0) => ({
  ...quote(),
  missingFt,
  expiry: LATER,
  newExpiry: LATER,
  deletionAt: LATER,
  autoRenewal: false,
})

test.each([
  ['CONTROL_PLANE_UNAVAILABLE', "We don't know whether your renewal arrived"],
  ['IN_PROGRESS', "We don't know whether your renewal arrived"],
  ['INVALID_STATE', "You weren't charged."],
] as const)('a renewal that ended with %s', async (code, words) => {
  const answers = { [`GET ${AT}/renewal`]: () => Response.json(renewal()), [`POST ${AT}/renew`]: () => refused(code) }
  open(answers, { isTest: false })
  const renew = await page.see('button:not([aria-disabled])', 'Renew for')
  renew.click()
  expect(await page.see('[role=alert]', words)).toBeDefined()
})

test('the amount that a renewal lacks is suggested as a top-up', async () => {
  open({ [`GET ${AT}/renewal`]: () => Response.json(renewal(1810)) }, { isTest: false })
  expect((await page.see('a', 'Top up')).getAttribute('href')).toBe('/dashboard/balance/summary?amount=1900')
})

const range = { minimum: 100, maximum: 400, step: 100, unitPriceFt: 10 }
const sized = { ...service, packages: [], resources: { cpuPercent: range, ramMiB: range, storageMiB: range } }
const change = {
  days: 20,
  monthlyFt: 1500,
  newMonthlyFt: 1700,
  chargeFt: 200,
  backFt: 0,
  balanceFt: 5000,
  balanceAfterFt: 4800,
  missingFt: 0,
  expiry: LATER,
}

test.each([
  ['CONTROL_PLANE_UNAVAILABLE', "We don't know whether your change arrived"],
  ['NO_CAPACITY', "You weren't charged."],
] as const)('a change of size that ended with %s', async (code, words) => {
  const answers: Record<string, Answer> = {
    [`GET ${AT}/renewal`]: () => Response.json(renewal()),
    [`GET ${AT}/size`]: () =>
      Response.json({
        serviceId: ID,
        packageId: null,
        isTest: false,
        resources: { cpuPercent: 100, ramMiB: 100, storageMiB: 100 },
      }),
    'GET /api/services': () => Response.json([sized]),
    [`POST ${AT}/modification/quote`]: () => Response.json(change),
    [`POST ${AT}/modification`]: () => refused(code),
  }
  open(answers, { isTest: false })
  page.type(await page.see<HTMLInputElement>('#modify-cpuPercent'), '200')
  const ask = await page.see('button:not([aria-disabled])', 'Resize and pay')
  ask.click()
  const confirm = await page.see('dialog button', 'Resize')
  confirm.click()
  expect(await page.see('[role=alert]', words)).toBeDefined()
})

const LARGE_ID = '01890000-0000-7000-8000-0000000000aa'
const present = { packageId: ID, name: 'Small', resources, monthlyFt: 1500, renewalFt: 1500 }
const offer = {
  packageId: LARGE_ID,
  name: 'Large',
  resources: { ...resources, ramMiB: 4096 },
  monthlyFt: 3000,
  at: 'once',
  chargeFt: 1000,
  renewalFt: 3000,
  missingFt: 0,
  obstacle: null,
}
const inPackage = (packages: object, answers: Record<string, Answer> = {}) =>
  open(
    {
      [`GET ${AT}/renewal`]: () => Response.json(renewal()),
      [`GET ${AT}/packages`]: () =>
        Response.json({
          present,
          offers: [offer],
          planned: null,
          days: 20,
          balanceFt: 5000,
          expiry: LATER,
          ...packages,
        }),
      ...answers,
    },
    { isTest: false },
  )
const changeToLarge = async () => {
  const choose = await page.see('.package button', 'Change now')
  choose.click()
  const confirm = await page.see('dialog button', 'Change and pay 1,000 Ft')
  confirm.click()
}

test('a dearer package is bought for the displayed charge, which is told with the next renewal before', async () => {
  const asked: unknown[] = []
  inPackage(
    {},
    {
      [`POST ${AT}/package`]: ({ body }) => {
        asked.push(body)
        const change = { at: 'once', packageId: LARGE_ID, chargeFt: 1000, monthlyFt: 3000, startsAt: LATER }
        return Response.json({ change, server: shownServer() })
      },
    },
  )
  await page.see('.package', /Large.*3,000 Ft per month.*1,000 Ft today for the remaining 20 days/)
  await changeToLarge()
  await page.see('[role=status]', 'The package is changed.')
  expect(asked).toEqual([{ packageId: LARGE_ID, expectedChargeFt: 1000, expectedMonthlyFt: 3000 }])
})

test.each([
  ['CONTROL_PLANE_UNAVAILABLE', "We don't know whether your change arrived"],
  ['NO_CAPACITY', "You weren't charged."],
] as const)('a change of the package that ended with %s', async (code, words) => {
  inPackage({}, { [`POST ${AT}/package`]: () => refused(code) })
  await changeToLarge()
  expect(await page.see('[role=alert]', words)).toBeDefined()
})

test.each([
  ['no-capacity', 0, 'has no room for it'],
  [null, 700, 'You need 700 Ft more for this package.'],
] as const)(
  'a package with the obstacle %s and %i Ft missing says so and offers no change',
  async (obstacle, missingFt, words) => {
    inPackage({ offers: [{ ...offer, obstacle, missingFt }] })
    await page.see('.package', words)
    expect(page.find('.package button', 'Change now')).toBeUndefined()
  },
)

test('a planned change names its day and is cancelled by its button', async () => {
  let planned: object | null = { packageId: LARGE_ID, name: 'Large', monthlyFt: 900, startsAt: LATER, isPaid: false }
  const packages = () => ({ present, offers: [offer], planned, days: 20, balanceFt: 5000, expiry: LATER })
  inPackage(
    {},
    {
      [`GET ${AT}/packages`]: () => Response.json(packages()),
      [`POST ${AT}/package/keep`]: () => {
        planned = null
        return Response.json({ server: shownServer() })
      },
    },
  )
  await page.see('.notice', /On 1 July 2100 the server changes to Large for 900 Ft per month/)
  const cancel = await page.see('.notice button', 'Cancel the change')
  cancel.click()
  await eventually(() => expect(page.find('.notice', 'the server changes to Large')).toBeUndefined())
  await page.see('.package button', 'Change now')
})

test('a planned change whose renewal is paid can be neither cancelled nor replaced', async () => {
  inPackage({ planned: { packageId: LARGE_ID, name: 'Large', monthlyFt: 900, startsAt: LATER, isPaid: true } })
  await page.see('.notice', 'already paid for')
  expect([page.find('.notice button', 'Cancel the change'), page.find('.package button', 'Change now')]).toEqual([
    undefined,
    undefined,
  ])
})

test.each([
  ['an administrator takes the folder of an expired server', 1, true],
  ['a sub-user has no way to it', 0, false],
] as const)('%s', async (_name, isAdmin, isShown) => {
  const me = shownUser({ id: OTHER_ID, role: [{ name: 'Staff', isAdmin, isSupport: 1 }] })
  open({}, { server: shownServer({ expiry: '2026-01-01T10:00:00.000Z', suspended: true }), me })
  await page.see('p', 'Only the owner of this server')
  expect(page.find('button', 'Download archive') !== undefined).toBe(isShown)
  expect(OWNER_ID).not.toBe(me.id)
})
