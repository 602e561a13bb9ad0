// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import type { Ticket } from '#contracts/http/desk/ticket-entity.ts'
import { SummaryLayout, SummaryLayoutChange } from '#contracts/summary/layout.ts'
import { changedSummary, DEFAULT_SUMMARY_LAYOUT, summaryOf } from '#domain/users/summary-layout.ts'
import { SummaryView } from '../../../../../../../src/app/[locale]/(dashboard)/dashboard/summary/summary-view.tsx'
import { ticketsQuery } from '../../../../../../../src/features/support/ticket-queries.ts'
import { ToastProvider } from '../../../../../../../src/ui/surfaces/toast.tsx'
import { OWNER_ID, shownUser } from '../../../../../../factories/shown-server.ts'
import { listedId, listedServer } from '../../../../../../support/listed-servers.ts'
import {
  eventually,
  held,
  refused,
  shownPage,
  type Answer,
  type ShownPage,
} from '../../../../../../support/shown-page.tsx'
import { countedDays } from '../../../../../../support/summary-page.ts'

vi.mock('next/navigation', () => ({
  useRouter: () => ({ push: () => {} }),
  useSearchParams: () => new URLSearchParams(window.location.search),
  usePathname: () => '/en/dashboard/summary',
}))

let page: ShownPage
afterEach(() => {
  page.close()
  vi.unstubAllGlobals()
  document.body.replaceChildren()
})

const BALANCE = {
  balanceFt: 8_430,
  moneyFt: 8_430,
  bonusFt: 0,
  heldFt: 0,
  debtFt: 0,
  renewing: [],
  renewalDiscount: null,
  methods: [],
}
const NEWS = [{ id: 'a', title: 'Invoices by year', createdAt: '2026-11-12T09:00:00.000Z' }]

/** The page on a wide screen with one server, and a layout that is kept as the control plane keeps it. */
const open = (answers: Record<string, Answer> = {}) => {
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener: () => {}, removeEventListener: () => {} }))
  let layout = SummaryLayout.parse(DEFAULT_SUMMARY_LAYOUT)
  page = shownPage(
    <ToastProvider closeLabel="Close">
      <SummaryView news={NEWS} />
    </ToastProvider>,
    {
      'GET /api/user/servers': () =>
        Response.json([listedServer(1, { status: 'running', owner: { id: OWNER_ID, username: 'anna' } })]),
      'GET /api/user/me': () => Response.json(shownUser()),
      'GET /api/balance': () => Response.json(BALANCE),
      'GET /api/user/invitations': () => Response.json([]),
      'GET /api/ticket/all': () => Response.json([]),
      'GET /api/switches': () => Response.json({}),
      'GET /api/stats/players': () => Response.json(countedDays([1, 2, null, 4, 5, 61, 7], 'UTC')),
      'GET /api/stats/host': () => Response.json({ registeredUsers: 12_408 }),
      'GET /api/voting': () => Response.json({ voting: null }),
      'GET /api/user/summary-layout': () => Response.json(layout),
      'POST /api/user/summary-layout': ({ body }) => {
        layout = SummaryLayout.parse(summaryOf(changedSummary(layout, SummaryLayoutChange.parse(body))))
        return Response.json(layout)
      },
      ...answers,
    },
  )
  return { layout: () => layout }
}
const shown = () => [...document.querySelectorAll<HTMLElement>('[data-panel]')].map(({ dataset }) => dataset['panel'])
const text = () => document.body.textContent ?? ''
const grip = (name: string) => document.querySelector<HTMLElement>(`[data-grip][aria-label="Move panel: ${name}"]`)
const press = (target: Element | null, key: string) =>
  target?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
const standing = (panels: readonly string[]) => eventually(() => expect(shown()).toEqual(panels))
const WIDE = ['servers', 'players', 'guides', 'waiting', 'due', 'balance', 'news']

/** Enough turns for everything that was answered to be drawn. */
const drawn = async () => {
  for (let turn = 0; turn < 50; turn += 1) await new Promise((next) => setImmediate(next))
}

test('the panels appear together, once the last of them is known, and each tells its facts', async () => {
  const late = held()
  open({ 'GET /api/ticket/all': () => late.response })
  await eventually(() => expect(text()).toContain('Loading your servers'))
  const first = ['GET /api/user/servers', 'GET /api/user/me', 'GET /api/balance', 'GET /api/user/summary-layout']
  await eventually(() => expect(page.calls.map(({ name }) => name)).toEqual(expect.arrayContaining(first)))
  await drawn()
  expect(shown()).toEqual([])
  late.settle(Response.json([]))
  await standing(WIDE)
  await eventually(() => expect(text()).toContain('Peak: 61 players'))
  expect(text()).toContain('12,408 registered users in total')
  expect(text()).toContain('Invoices by year')
  expect(text()).toContain('Nothing is waiting for you.')
  expect([...document.querySelectorAll('table td')].map(({ textContent }) => textContent)).toEqual([
    '1',
    '2',
    'not counted',
    '4',
    '5',
    '61',
    '7',
  ])
})

test('a figure that is hidden by staff, and one that does not load, leave the others', async () => {
  open({
    'GET /api/stats/host': () => Response.json({}),
    'GET /api/stats/players': () => refused('CONTROL_PLANE_UNAVAILABLE'),
  })
  await standing(WIDE)
  await eventually(() => expect(text()).toContain("The player counts didn't load."))
  expect(text()).not.toContain('registered')
})

test('a key moves a panel within its column, the grip keeps the focus, and a refused move is undone and explained', async () => {
  const { layout } = open()
  await standing(WIDE)
  grip('Guides')?.focus()
  press(grip('Guides'), 'ArrowUp')
  await standing(['servers', 'guides', 'players', 'waiting', 'due', 'balance', 'news'])
  await eventually(() => expect(layout().order.indexOf('guides')).toBeLessThan(layout().order.indexOf('players')))
  expect(text()).toContain('Guides: 2 of 3')
  expect(document.activeElement).toBe(grip('Guides'))
  page.close()
  document.body.replaceChildren()
  open({ 'POST /api/user/summary-layout': () => refused('NOT_FOUND') })
  await standing(WIDE)
  press(grip('Guides'), 'ArrowUp')
  await eventually(() => expect(text()).toContain('The words of NOT_FOUND.'))
  await standing(WIDE)
})

test('an order that does not load is told, and nothing can be arranged', async () => {
  open({ 'GET /api/user/summary-layout': () => refused('CONTROL_PLANE_UNAVAILABLE') })
  await standing(WIDE)
  expect(text()).toContain("Your panel order didn't load.")
  expect(document.querySelector('[data-grip]')).toBeNull()
})

test('tickets that do not load are told beside what is known', async () => {
  open({
    'GET /api/ticket/all': () => refused('CONTROL_PLANE_UNAVAILABLE'),
    'GET /api/user/servers': () =>
      Response.json([listedServer(1, { name: 'Fort', status: 'crashed', owner: { id: OWNER_ID, username: 'anna' } })]),
  })
  await standing(WIDE)
  expect(text()).toContain("We couldn't check everything: servers, tickets and invitations may be missing here.")
  expect(document.querySelector('.sum-waiting')?.textContent).toBe('Fort: Stopped unexpectedly')
})

test.each(['GET /api/user/servers', 'GET /api/user/me'])(
  'without an answer to %s nobody is told that nothing is waiting',
  async (call) => {
    open({ [call]: () => refused('CONTROL_PLANE_UNAVAILABLE') })
    await standing(WIDE)
    expect(text()).toContain("We couldn't check everything")
    expect(text()).not.toContain('Nothing is waiting for you.')
    expect(waitingValue()).toBe('–')
  },
)

const waitingValue = () =>
  [...document.querySelectorAll('.board > div')]
    .find((cell) => cell.querySelector('dt')?.textContent === 'Waiting for you')
    ?.querySelector('dd')?.firstChild?.textContent

test.each(['GET /api/ticket/all', 'GET /api/user/invitations', 'GET /api/user/summary-layout'])(
  'the panels do not wait for a second attempt at %s',
  async (call) => {
    open({ [call]: () => refused('CONTROL_PLANE_UNAVAILABLE') })
    page.client.setDefaultOptions({ queries: { retry: 1, retryDelay: 3_600_000 } })
    await standing(WIDE)
    expect(page.calls.filter(({ name }) => name === call)).toHaveLength(1)
  },
)

test('a part that failed is still missing while it is read again', async () => {
  const late = held()
  const call = 'GET /api/user/invitations'
  const reads = () => page.calls.filter(({ name }) => name === call).length
  open({ [call]: () => (reads() > 1 ? late.response : refused('CONTROL_PLANE_UNAVAILABLE')) })
  await standing(WIDE)
  void page.client.refetchQueries({ queryKey: ['invitations'] })
  await eventually(() => expect(reads()).toBeGreaterThan(1))
  await drawn()
  expect(text()).toContain("We couldn't check everything")
  expect(waitingValue()).toBe('–')
  late.settle(Response.json([]))
  await eventually(() => expect(text()).toContain('Nothing is waiting for you.'))
})

test('the line below the number of waiting things keeps its place while nothing waits', async () => {
  open()
  await standing(WIDE)
  expect(waitingValue()).toBe('Nothing')
  expect(document.querySelector('.sum-first')?.textContent).toBe('\u00A0')
})

test('the number of unread tickets is that of the newest page, whatever the list of tickets has read', async () => {
  open({ 'GET /api/ticket/all': () => Response.json([ticket(1)]) })
  page.client.setQueryData(ticketsQuery(undefined, '').queryKey, {
    pages: [[ticket(1)], [ticket(2)]],
    pageParams: [null, ticket(1).id],
  })
  await standing(WIDE)
  expect(waitingValue()).toBe('1 thing')
  expect(text()).toContain('New reply: Ticket 1')
})

const ticket = (id: number): Ticket => ({
  id: listedId(id),
  identifier: 'acdefghj',
  title: `Ticket ${id}`,
  lastMessage: { message: 'Hello', createdAt: '2026-11-12T09:00:00.000Z' },
  category: 'Servers',
  categoryId: listedId(901),
  status: 'open',
  opener: { id: OWNER_ID, username: 'anna' },
  admin: null,
  addedUsers: [],
  createdAt: '2026-11-12T09:00:00.000Z',
  unread: true,
})

test('a suspended server leads its owner to the tickets', async () => {
  open({
    'GET /api/user/servers': () =>
      Response.json([
        listedServer(1, { name: 'Fort', status: 'suspended', owner: { id: OWNER_ID, username: 'anna' } }),
      ]),
  })
  await standing(WIDE)
  expect(document.querySelector('.sum-waiting a')?.getAttribute('href')).toBe('/dashboard/tickets')
})

test('a week without players is said in words, and no day is its peak', async () => {
  open({ 'GET /api/stats/players': () => Response.json(countedDays([0, 0, null, 0, 0, 0, 0], 'UTC')) })
  await standing(WIDE)
  await eventually(() => expect(text()).toContain('Your games reported no players in the last 7 days.'))
  expect(text()).not.toContain('Peak:')
  expect(document.querySelectorAll('.sum-point.is-peak')).toHaveLength(0)
})

test('a panel that is moved to the end of its column passes none of the other column', async () => {
  const { layout } = open()
  await standing(WIDE)
  press(grip('Balance'), 'ArrowDown')
  await standing(['servers', 'players', 'guides', 'waiting', 'due', 'news', 'balance'])
  await eventually(() =>
    expect(layout().order).toEqual(['servers', 'waiting', 'due', 'players', 'news', 'balance', 'voting', 'guides']),
  )
})

test('a voting is a panel after the news, and the page waits for it', async () => {
  const late = held()
  open({ 'GET /api/voting': () => late.response })
  await eventually(() => expect(page.calls.map(({ name }) => name)).toContain('GET /api/voting'))
  await drawn()
  expect(shown()).toEqual([])
  const options = ['Palworld', 'Rust'].map((name) => ({ id: name, text: name, votes: null }))
  const voting = { id: listedId(7), question: 'Which?', state: 'active', endsAt: null, ownOption: null, votes: 0 }
  late.settle(Response.json({ voting: { ...voting, options } }))
  await standing([...WIDE, 'voting'])
  expect(text()).toContain('no votes yet')
})

test('without a voting the choice of panels has none', async () => {
  open()
  await standing(WIDE)
  document.querySelector<HTMLElement>('.sum-panels')?.click()
  await eventually(() => expect(text()).toContain('Panels of the summary'))
  expect(document.querySelector('.sum-choice')?.textContent).not.toContain('Poll')
  expect(document.querySelector('.sum-choice')?.textContent).toContain('News')
})
