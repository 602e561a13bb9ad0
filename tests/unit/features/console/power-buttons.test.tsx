// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import type { Permission } from '#contracts/panel/permissions.ts'
import { PowerButtons } from '../../../../src/features/console/power-buttons.tsx'
import { useServer } from '../../../../src/lib/servers/use-server.ts'
import { ToastProvider } from '../../../../src/ui/surfaces/toast.tsx'
import { SHOWN_SERVER_ID, shownServer, shownUser } from '../../../factories/shown-server.ts'
import { eventually, refused, shownPage } from '../../../support/shown-page.tsx'
import type { ShownPage } from '../../../support/shown-page.tsx'

const POWER = `POST /api/server/${SHOWN_SERVER_ID}/power`

let page: ShownPage
afterEach(() => {
  page.close()
  vi.unstubAllGlobals()
})

const press = async (name: string) => {
  const server = { ...shownServer(), permissions: ['control.stop' as const, 'control.restart' as const] }
  page = shownPage(
    <ToastProvider closeLabel="Close">
      <PowerButtons server={server} word="running" />
    </ToastProvider>,
    {
      'GET /api/user/me': () => Response.json(shownUser()),
      [POWER]: () => Response.json({ accepted: true, commandId: SHOWN_SERVER_ID }),
    },
  )
  const button = await page.see('.power button', name)
  button.click()
}
const sent = () =>
  page.calls.filter(({ name }) => name === POWER).map(({ body }) => (body as { action: string }).action)

test('a stop is announced and taken back, and the server never hears of it', async () => {
  await press('Stop')
  const undo = await page.see('.toast button', 'Undo')
  expect(page.text()).toContain('stops in 5 seconds.')
  undo.click()
  await eventually(() => expect(page.find('.toast')).toBeUndefined())
  window.dispatchEvent(new Event('pagehide'))
  expect(sent()).toEqual([])
})

test('a stop that waits is sent when its page is left', async () => {
  await press('Stop')
  await page.see('.toast button', 'Undo')
  expect(sent()).toEqual([])
  window.dispatchEvent(new Event('pagehide'))
  await eventually(() => expect(sent()).toEqual(['stop']))
})

test('a restart takes the place of a stop that waits, which is neither sent nor offered any more', async () => {
  await press('Stop')
  await page.see('.toast button', 'Undo')
  const restart = await page.see('.power button', 'Restart')
  restart.click()
  await eventually(() => expect(sent()).toEqual(['restart']))
  // At once: a toast that ran out would be gone as well.
  expect(page.find('.toast')).toBeUndefined()
  window.dispatchEvent(new Event('pagehide'))
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(sent()).toEqual(['restart'])
})

const OfServer = () => {
  const { data } = useServer(SHOWN_SERVER_ID)
  return data === undefined ? null : <PowerButtons server={data} word={data.status} />
}

test('an action whose permission was taken away meanwhile says so, and its button gives way to the reason', async () => {
  let permissions: Permission[] = ['control.start']
  page = shownPage(
    <ToastProvider closeLabel="Close">
      <OfServer />
    </ToastProvider>,
    {
      'GET /api/user/me': () => Response.json(shownUser()),
      'GET /api/user/servers': () => Response.json([]),
      [`GET /api/server/${SHOWN_SERVER_ID}`]: () => Response.json(shownServer({ permissions })),
      [POWER]: () => {
        permissions = []
        return refused('FORBIDDEN', { permission: 'control.start' })
      },
    },
  )
  const start = await page.see('.power button', 'Start')
  start.click()
  await page.see('.toast', 'The words of FORBIDDEN.')
  await page.see('.power', 'Missing permission: “Start”')
  expect(page.find('.power button')).toBeUndefined()
})

test('a server that is stopping is killed only after the question, and never by waiting', async () => {
  const server = shownServer({ permissions: ['control.stop'] })
  page = shownPage(
    <ToastProvider closeLabel="Close">
      <PowerButtons server={server} word="stopping" />
    </ToastProvider>,
    {
      'GET /api/user/me': () => Response.json(shownUser()),
      [POWER]: () => Response.json({ accepted: true, commandId: SHOWN_SERVER_ID }),
    },
  )
  const kill = await page.see('.power > button', 'Kill')
  kill.click()
  await page.see('dialog[open]', 'Kill Watchman?')
  const wait = await page.see('dialog[open] button', 'Wait')
  wait.click()
  await eventually(() => expect(page.find('dialog[open]')).toBeUndefined())
  expect(sent()).toEqual([])
  kill.click()
  const confirm = await page.see('dialog[open] button', 'Kill')
  confirm.click()
  await eventually(() => expect(sent()).toEqual(['kill']))
})
