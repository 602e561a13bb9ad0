// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import type { ServerSettings } from '#contracts/http/panel/server-settings.ts'
import { IdentityPanel } from '../../../../src/features/server-settings/identity-panel.tsx'
import { OperationPanel } from '../../../../src/features/server-settings/operation-panel.tsx'
import { ServerSettingsPage } from '../../../../src/features/server-settings/settings-page.tsx'
import { ToastProvider } from '../../../../src/ui/surfaces/toast.tsx'
import { SHOWN_SERVER_ID, shownServer, shownUser } from '../../../factories/shown-server.ts'
import { eventually, refused, shownPage } from '../../../support/shown-page.tsx'
import type { Answer, ShownPage } from '../../../support/shown-page.tsx'

const AT = `/api/server/${SHOWN_SERVER_ID}/settings`
const settings: ServerSettings = {
  name: 'Watchman',
  description: 'Two lines',
  timeZone: 'Europe/Budapest',
  autoStart: true,
  stopTimeoutS: 30,
  needsRestart: false,
}

let page: ShownPage
afterEach(() => {
  page.close()
  vi.unstubAllGlobals()
})

const show = (content: React.ReactNode, answers: Record<string, Answer> = {}) => {
  page = shownPage(<ToastProvider closeLabel="Close">{content}</ToastProvider>, {
    'GET /api/user/me': () => Response.json(shownUser()),
    ...answers,
  })
}
const identity = (saved = settings, closed: string | null = null) => (
  <IdentityPanel serverId={SHOWN_SERVER_ID} settings={saved} closed={closed} />
)
const sent = () => page.calls.filter(({ name }) => name.startsWith('PUT')).map(({ name, body }) => [name, body])
const save = async () => (await page.see('button[type=submit]:not([aria-disabled])', 'Save')).click()
const write = (field: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement, value: string, event = 'input') => {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field) as object, 'value')?.set?.call(field, value)
  field.dispatchEvent(new Event(event, { bubbles: true }))
}

test('a new name and description are sent with what the page showed, and the page says that they are saved', async () => {
  show(identity(), {
    [`PUT ${AT}/identity`]: ({ body }) => Response.json({ ...settings, ...(body as object) }),
  })
  write(await page.see<HTMLInputElement>('input'), 'Night watch')
  write(await page.see<HTMLTextAreaElement>('textarea'), 'One line')
  await save()
  await page.see('.settings-said', 'Saved')
  const seen = { name: 'Watchman', description: 'Two lines' }
  expect(sent()).toEqual([[`PUT ${AT}/identity`, { name: 'Night watch', description: 'One line', seen }]])
})

test('a name that no server may have is refused at its field, before anything is sent', async () => {
  show(identity())
  write(await page.see<HTMLInputElement>('input'), '')
  await save()
  await eventually(() => expect(page.find('input')?.getAttribute('aria-invalid')).toBe('true'))
  expect(sent()).toEqual([])
})

test('of two editors the later one keeps what is typed, reads what the other saved, and may save over it', async () => {
  const other = { ...settings, name: 'Day watch' }
  let saved = settings
  const server = shownServer({ permissions: ['settings.rename', 'startup.update', 'startup.view'] })
  show(<ServerSettingsPage id={SHOWN_SERVER_ID} withdrawal={null} sftp={() => null} filesSize={() => null} />, {
    'GET /api/user/me': () => Response.json(shownUser({ id: '01890000-0000-7000-8000-0000000000dd' })),
    'GET /api/user/servers': () => Response.json([]),
    [`GET /api/server/${SHOWN_SERVER_ID}`]: () => Response.json(server),
    [`GET ${AT}`]: () => Response.json(saved),
    [`PUT ${AT}/identity`]: ({ body }) => {
      const { name, seen } = body as { name: string; seen: { name: string } }
      if (saved === settings) saved = other
      if (seen.name !== saved.name) return refused('SETTINGS_CHANGED')
      return Response.json({ ...saved, name })
    },
  })
  const field = await page.see<HTMLInputElement>('.settings-part input')
  write(field, 'Night watch')
  await save()
  await page.see('[role=alert]', 'The saved name is “Day watch”')
  expect(field.value).toBe('Night watch')
  await save()
  await page.see('.settings-said', 'Saved')
  expect(sent().map(([, body]) => (body as { seen: { name: string } }).seen.name)).toEqual(['Watchman', 'Day watch'])
})

test('time zone, automatic start and time to stop are sent together', async () => {
  show(<OperationPanel server={shownServer()} settings={settings} closed={null} />, {
    [`PUT ${AT}/operation`]: ({ body }) => Response.json({ ...settings, ...(body as object) }),
  })
  write(await page.see<HTMLSelectElement>('select'), 'Asia/Tokyo', 'change')
  const autoStart = await page.see<HTMLInputElement>('input[role=switch], input[type=checkbox]')
  autoStart.click()
  write(await page.see<HTMLInputElement>('input[type=range]'), '90')
  await save()
  await page.see('.settings-said', 'Saved')
  const { timeZone, stopTimeoutS } = settings
  const seen = { timeZone, autoStart: true, stopTimeoutS }
  expect(sent()).toEqual([
    [`PUT ${AT}/operation`, { timeZone: 'Asia/Tokyo', autoStart: false, stopTimeoutS: 90, seen }],
  ])
})

test('a server that still runs with another time zone offers a restart', async () => {
  const server = shownServer({ status: 'running', permissions: ['control.restart'] })
  show(<OperationPanel server={server} settings={{ ...settings, needsRestart: true }} closed={null} />)
  await page.see('.notice', 'still running with another time zone')
  expect((await page.see('.notice button', 'Restart')).getAttribute('aria-disabled')).toBeNull()
})

test.each([
  ['without the permissions', {}, 'Rename the server', 'Edit startup'],
  ['suspended', { suspended: true }, 'is suspended', 'is suspended'],
  ['expired', { expiry: '2020-01-01T00:00:00.000Z' }, 'has expired', 'has expired'],
])('%s each part says why it is closed, shows its values and has no button', async (_, change, named, operated) => {
  const all = ['settings.rename', 'startup.view', 'startup.update'] as const
  const server = shownServer({ permissions: Object.keys(change).length === 0 ? [] : [...all], ...change })
  show(<ServerSettingsPage id={SHOWN_SERVER_ID} withdrawal={null} sftp={() => null} filesSize={() => null} />, {
    'GET /api/user/me': () => Response.json(shownUser({ id: '01890000-0000-7000-8000-0000000000dd' })),
    'GET /api/user/servers': () => Response.json([]),
    [`GET /api/server/${SHOWN_SERVER_ID}`]: () => Response.json(server),
    [`GET ${AT}`]: () => Response.json(settings),
  })
  await page.see('.settings-closed')
  const texts = [...document.querySelectorAll('.settings-closed')].map((each) => each.textContent)
  expect(texts).toEqual([expect.stringContaining(named), expect.stringContaining(operated)])
  expect([...document.querySelectorAll<HTMLElement>('.settings-act')].map(({ hidden }) => hidden)).toEqual([true, true])
  expect((await page.see<HTMLInputElement>('.settings-part input')).readOnly).toBe(true)
  expect((await page.see<HTMLSelectElement>('.settings-part select')).disabled).toBe(true)
})
