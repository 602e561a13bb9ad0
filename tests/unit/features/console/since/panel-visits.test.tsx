// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { SinceYouLeft } from '#contracts/http/panel/since-you-left.ts'
import { PanelConsole, usePanelNews } from '../../../../../src/features/console/panel-console.tsx'
import { SinceCard } from '../../../../../src/features/console/since/since-card.tsx'
import { seeing } from '../../../../../src/lib/seeing/seeing.ts'
import { SHOWN_SERVER_ID, shownServer } from '../../../../factories/shown-server.ts'
import { eventually, refused, shownPage } from '../../../../support/shown-page.tsx'
import type { Answer, ShownPage } from '../../../../support/shown-page.tsx'

const AT = `/api/server/${SHOWN_SERVER_ID}`
const VISIT = `POST ${AT}/visit`
const ANNA = { id: '01890000-0000-7000-8000-0000000000cc', name: 'anna', role: 'member', pictureId: null } as const
const NEWS: SinceYouLeft = {
  since: '2026-11-20T19:00:00.000Z',
  lines: [
    {
      kind: 'crashed',
      type: 'server:crashed',
      group: 'state',
      actor: 'server',
      count: 3,
      last: '2026-11-20T20:02:00.000Z',
      detail: 'It ended.',
    },
    {
      kind: 'files',
      type: 'server:file.write',
      group: 'files',
      actor: ANNA,
      count: 1,
      last: '2026-11-20T20:05:00.000Z',
      detail: 'plugins/shop/config.yml',
    },
  ],
  more: 1_200,
}

const view: { state: DocumentVisibilityState } = { state: 'visible' }
Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => view.state })

let page: ShownPage
beforeEach(() => vi.stubGlobal('WebSocket', vi.fn()))
afterEach(() => {
  page.close()
  seeing.stop()
  vi.unstubAllGlobals()
  view.state = 'visible'
})

const Shown = () => {
  const { news, dismiss } = usePanelNews()
  return news === null ? (
    <p>nothing new</p>
  ) : (
    <SinceCard serverId={SHOWN_SERVER_ID} news={news} maySeeLog onClose={dismiss} />
  )
}
const open = (visit: Answer, permissions: ('console.read' | 'activity.view')[] = ['console.read']) => {
  const server = shownServer({ permissions })
  page = shownPage(
    <PanelConsole serverId={SHOWN_SERVER_ID}>
      <Shown />
    </PanelConsole>,
    {
      'GET /api/user/servers': () => Response.json([server]),
      [`GET ${AT}`]: () => Response.json(server),
      [VISIT]: visit,
    },
  )
}
const visits = () => page.calls.filter(({ name }) => name === VISIT).length
const shows = (state: DocumentVisibilityState) => {
  view.state = state
  document.dispatchEvent(new Event('visibilitychange'))
}

test('the news stay through the next minutes of the visit, and until they are closed by Escape', async () => {
  const answers = [NEWS, null]
  open(() => Response.json({ news: answers.shift() ?? null }))
  const card = await page.see('section', 'Since you left')
  expect(page.text()).toContain('Crashed 3 times')
  expect(page.text()).toMatch(/last 20 Nov,? 21:02/)
  expect(page.find('li', 'File changed')?.textContent).toContain('config.yml')
  expect(page.find('li', 'File changed')?.textContent).toContain('anna')
  const more = await page.see<HTMLAnchorElement>('a', '+ 1,200 more')
  expect(more.getAttribute('href')).toBe(`/panel/${SHOWN_SERVER_ID}/activities?when=own&from=2026-11-20T19:00Z`)
  shows('visible')
  await eventually(() => expect(visits()).toBe(2))
  await page.see('section', 'Since you left')
  card.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
  await page.see('p', 'nothing new')
})

test('a tab out of view is no visit, and coming back to it is one', async () => {
  view.state = 'hidden'
  open(() => Response.json({ news: NEWS }))
  await eventually(() => expect(page.calls.some(({ name }) => name === `GET ${AT}`)).toBe(true))
  await page.see('p', 'nothing new')
  expect(visits()).toBe(0)
  shows('visible')
  await page.see('section', 'Since you left')
  expect(visits()).toBe(1)
})

test('a reader who looks as a collaborator, or may not read the console, makes no visit; a failed one says nothing', async () => {
  seeing.start({ serverId: SHOWN_SERVER_ID, id: ANNA.id, name: 'anna' })
  open(() => Response.json({ news: NEWS }))
  await eventually(() => expect(page.calls.some(({ name }) => name === `GET ${AT}`)).toBe(true))
  expect(visits()).toBe(0)
  seeing.stop()
  await page.see('section', 'Since you left')
  expect(visits()).toBe(1)
  // The news of oneself are not part of the other one's panel.
  seeing.start({ serverId: SHOWN_SERVER_ID, id: ANNA.id, name: 'anna' })
  await page.see('p', 'nothing new')
  page.close()

  seeing.stop()
  open(() => Response.json({ news: NEWS }), ['activity.view'])
  await eventually(() => expect(page.calls.some(({ name }) => name === `GET ${AT}`)).toBe(true))
  await page.see('p', 'nothing new')
  expect(visits()).toBe(0)
  page.close()

  open(() => refused('CONTROL_PLANE_UNAVAILABLE'))
  await eventually(() => expect(visits()).toBeGreaterThan(0))
  await page.see('p', 'nothing new')
})
