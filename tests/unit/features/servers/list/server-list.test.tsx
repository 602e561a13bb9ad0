// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import type { Server } from '#contracts/http/server.ts'
import { ServerLayout, ServerLayoutChange } from '#contracts/http/server-layout.ts'
import { arranged, changedLayout, EMPTY_LAYOUT } from '#domain/servers/list-layout.ts'
import { applyStates } from '../../../../../src/features/realtime/apply-event.ts'
import { ServersPage } from '../../../../../src/features/servers/servers-page.tsx'
import { ToastProvider } from '../../../../../src/ui/surfaces/toast.tsx'
import { OWNER_ID, shownUser } from '../../../../factories/shown-server.ts'
import { listedId, listedServer } from '../../../../support/listed-servers.ts'
import { eventually, refused, shownPage, type Answer, type ShownPage } from '../../../../support/shown-page.tsx'

vi.mock('next/navigation', () => ({
  useRouter: () => ({ push: () => {} }),
  useSearchParams: () => new URLSearchParams(window.location.search),
}))

let page: ShownPage
afterEach(() => {
  page.close()
  vi.unstubAllGlobals()
  document.body.replaceChildren()
})

const own = (at: number, facts: Partial<Server> = {}) =>
  listedServer(at, { name: `Alpha ${at}`, owner: { id: OWNER_ID, username: 'anna' }, ...facts })

/** The page with these servers, and a layout that is kept as the control plane keeps it. */
const open = (servers: readonly Server[], answers: Record<string, Answer> = {}) => {
  window.history.replaceState(null, '', '/dashboard/servers')
  const ids = servers.map(({ id }) => id)
  let layout = ServerLayout.parse(arranged(EMPTY_LAYOUT, ids))
  page = shownPage(
    <ToastProvider closeLabel="Close">
      <ServersPage />
    </ToastProvider>,
    {
      'GET /api/user/servers': () => Response.json(servers),
      'GET /api/user/me': () => Response.json(shownUser()),
      'GET /api/user/invitations': () => Response.json({ items: [] }),
      'GET /api/switches': () => Response.json({}),
      'GET /api/user/server-layout': () => Response.json(layout),
      'POST /api/user/server-layout': ({ body }) => {
        const result = changedLayout(layout, ServerLayoutChange.parse(body))
        if (!result.ok) return refused(result.code)
        layout = ServerLayout.parse(result.layout)
        return Response.json(layout)
      },
      ...answers,
    },
  )
  return { layout: () => layout }
}
const names = () => [...document.querySelectorAll('.sv-row .nm')].map(({ textContent }) => textContent)
const button = (label: string | RegExp) => page.see<HTMLButtonElement>('button', label)
const press = (target: Element, key: string) =>
  target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))

test('the keys of a grip move its server, the grip keeps the focus, and the place is announced', async () => {
  const { layout } = open([own(0), own(1), own(2)])
  const grip = await button('Move Alpha 0')
  grip.focus()
  press(grip, 'ArrowDown')
  await eventually(() => expect(names()).toEqual(['Alpha 1', 'Alpha 0', 'Alpha 2']))
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Move Alpha 0')
  await page.see('[aria-live=polite]', 'Alpha 0: 2 of 3 in “No group”')
  await eventually(() => expect(layout().loose).toEqual([listedId(1), listedId(0), listedId(2)]))
})

test('a held key starts a server once', async () => {
  let starts = 0
  open([own(0, { status: 'offline' })], {
    [`POST /api/server/${listedId(0)}/power`]: () => {
      starts += 1
      return Response.json({ accepted: true, commandId: listedId(9) })
    },
  })
  const link = await page.see<HTMLElement>('.sv-row .nm', 'Alpha 0')
  link.focus()
  for (const repeat of [false, true, true]) {
    link.dispatchEvent(new KeyboardEvent('keydown', { key: 's', repeat, bubbles: true, cancelable: true }))
  }
  await page.see('.toast', /./)
  expect(starts).toBe(1)
})

test('a server is started while another one is being started, and neither twice', async () => {
  let answer = (): void => {}
  const first = new Promise<void>((resolve) => {
    answer = resolve
  })
  const accepted = () => Response.json({ accepted: true, commandId: listedId(9) })
  const power = (at: number) => `POST /api/server/${listedId(at)}/power`
  open([own(0, { status: 'offline' }), own(1, { status: 'offline' })], {
    [power(0)]: () => first.then(accepted),
    [power(1)]: accepted,
  })
  for (const name of ['Alpha 0', 'Alpha 1', 'Alpha 0']) {
    const link = await page.see<HTMLElement>('.sv-row .nm', name)
    link.focus()
    press(link, 's')
  }
  await page.see('.toast', /./)
  answer()
  await eventually(() => expect(document.querySelectorAll('.sv-row .sv-note')).toHaveLength(2))
  const calls = page.calls.filter(({ name }) => name.endsWith('/power')).map(({ name }) => name)
  expect(calls).toEqual([power(0), power(1)])
})

test('a refused move is undone and explained', async () => {
  open([own(0), own(1)], { 'POST /api/user/server-layout': () => refused('NOT_FOUND') })
  press(await button('Move Alpha 0'), 'ArrowDown')
  await page.see('.toast', 'The words of NOT_FOUND.')
  await eventually(() => expect(names()).toEqual(['Alpha 0', 'Alpha 1']))
})

test('each of three servers has its answer; what failed stays selected, and a missing permission is named without a call', async () => {
  const power = (at: number) => `POST /api/server/${listedId(at)}/power`
  open([own(0), own(1), own(2, { permissions: ['control.stop'] })], {
    [power(0)]: () => Response.json({ accepted: true, commandId: listedId(9) }),
    [power(1)]: () => refused('INVALID_STATE'),
  })
  const all = await page.see<HTMLInputElement>('.sv-all input')
  all.click()
  const start = await page.see<HTMLButtonElement>('.sv-bulk button', 'Start')
  start.click()
  const note = (text: string) => page.see('.sv-row .sv-note', text)
  await note('Start sent')
  await note('The words of INVALID_STATE.')
  await note('You need the permission “Start” for this.')
  await page.see('.toast', 'Action sent to 1 of 3 servers.')
  await page.see('.sv-bulk', '2 selected')
  expect(page.calls.filter(({ name }) => name.endsWith('/power')).map(({ name }) => name)).toEqual([power(0), power(1)])
})

test('a state changes its own row alone', async () => {
  open([own(0, { status: 'offline' }), own(1, { status: 'offline' })])
  await button('Move Alpha 0')
  const [first, second] = document.querySelectorAll('.sv-row .stc')
  const before = second?.firstElementChild
  applyStates(page.client, new Map([[listedId(0), 'running']]))
  await eventually(() => expect(first?.textContent).toContain('Running'))
  expect(second?.firstElementChild).toBe(before)
  expect(page.calls.filter(({ name }) => name === 'GET /api/user/servers')).toHaveLength(1)
})

test('without the stored order the list is shown and nothing can be moved', async () => {
  open([own(0), own(1)], { 'GET /api/user/server-layout': () => refused('INTERNAL') })
  await page.see('[role=status]', "Your order and groups didn't load.")
  expect(names()).toEqual(['Alpha 0', 'Alpha 1'])
  expect(document.querySelector('[data-grip]')).toBeNull()
})

test('a reader without servers is offered to rent one', async () => {
  open([])
  const offer = await page.see('.empty a', 'Rent a server')
  expect(offer.getAttribute('href')).toBe('/dashboard/services/game')
})

test('a crashed server has a way to the reason, and one that is being installed says since when', async () => {
  const startedAt = new Date()
  const clock = startedAt.toLocaleTimeString('en-GB', { timeZone: 'Europe/Budapest', timeStyle: 'short' })
  open([
    own(0, { status: 'crashed' }),
    own(1, { status: 'error on startup' }),
    own(2, { status: 'installing', installation: { step: 'installing', startedAt: startedAt.toISOString() } }),
    own(3, { status: 'offline' }),
  ])
  const why = await page.see<HTMLAnchorElement>('.sv-row a', 'Why did Alpha 0 crash?')
  expect(why.getAttribute('href')).toContain(`/panel/${listedId(0)}/console`)
  const rows = [...document.querySelectorAll<HTMLElement>('.sv-row')]
  const rowOf = (at: number) => rows.find((row) => row.dataset['server'] === listedId(at))?.textContent ?? ''
  expect([0, 1, 2, 3].map((at) => rowOf(at).includes('Why?'))).toEqual([true, true, false, false])
  expect(rowOf(2)).toContain(`since ${clock}`)
  expect(rowOf(3)).not.toContain('since')
})
