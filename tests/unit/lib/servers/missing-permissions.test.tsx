// @vitest-environment happy-dom
import type { ReactNode } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Server } from '#contracts/http/server.ts'
import { OFFERED_PERMISSIONS } from '#contracts/panel/offered-permissions.ts'
import type { Permission } from '#contracts/panel/permissions.ts'
import type { ServerWord } from '#domain/servers/status.ts'
import { ServerActivityPage } from '../../../../src/features/activities/server/server-activity-page.tsx'
import { CollaboratorsPage } from '../../../../src/features/collaborators/collaborators-page.tsx'
import { ConsolePage } from '../../../../src/features/console/console-page.tsx'
import { FilesPage } from '../../../../src/features/files/files-page.tsx'
import { NetworksPage } from '../../../../src/features/networks/networks-page.tsx'
import { ServerSettingsPage } from '../../../../src/features/server-settings/settings-page.tsx'
import { RowPower } from '../../../../src/features/servers/row-power.tsx'
import { StartupPage } from '../../../../src/features/startup/startup-page.tsx'
import { FixDone } from '../../../../src/lib/servers/fix-done.tsx'
import de from '../../../../src/messages/de.json' with { type: 'json' }
import en from '../../../../src/messages/en.json' with { type: 'json' }
import hu from '../../../../src/messages/hu.json' with { type: 'json' }
import { ToastProvider } from '../../../../src/ui/surfaces/toast.tsx'
import { SHOWN_SERVER_ID as ID, shownServer, shownUser } from '../../../factories/shown-server.ts'
import { eventually, shownPage } from '../../../support/shown-page.tsx'
import type { ShownPage } from '../../../support/shown-page.tsx'

vi.mock('next/navigation', async (original) => ({
  ...(await original<object>()),
  useRouter: () => ({ push: () => {} }),
  usePathname: () => '/en/panel',
  useSearchParams: () => new URLSearchParams(),
}))

const AT = `/api/server/${ID}`
const READER_ID = '01890000-0000-7000-8000-0000000000dd'
const LONG_AGO = '2026-06-01T10:00:00.000Z'

const port = {
  id: '01890000-0000-7000-8000-000000000001',
  ip: '192.0.2.1',
  port: 25_565,
  address: '192.0.2.1:25565',
  note: '',
  isPrimary: true,
  use: 'primary',
  variables: [],
  keptBy: 'primary',
  waitsForRestart: false,
}
const startup = {
  version: 1,
  changedAt: null,
  command: ['java'],
  memoryMiB: 1024,
  variables: [],
  ports: [{ port: port.port, primary: true }],
  image: { current: '~game:1', choices: [{ label: 'One', image: '~game:1' }] },
  running: null,
}
const settings = { name: 'Watchman', description: '', timeZone: null, autoStart: true, stopTimeoutS: 30 }
const colleague = {
  id: '01890000-0000-7000-8000-0000000000ee',
  username: 'bela',
  email: 'bela@example.test',
  permissions: ['console.read'],
  state: 'active',
  since: LONG_AGO,
  endsAt: null,
  expiresAt: null,
}

let page: ShownPage
afterEach(() => {
  page.close()
  vi.unstubAllGlobals()
})

const show = (content: ReactNode, server: Server) => {
  page = shownPage(<ToastProvider closeLabel="Close">{content}</ToastProvider>, {
    'GET /api/user/me': () => Response.json(shownUser({ id: READER_ID, username: 'carla' })),
    'GET /api/user/servers': () => Response.json([server]),
    'GET /api/switches': () =>
      Response.json({ ordering: true, tickets: true, serverStart: true, couponUse: true, registration: true }),
    [`GET ${AT}`]: () => Response.json(server),
    [`GET ${AT}/settings`]: () => Response.json({ ...settings, needsRestart: false }),
    [`GET ${AT}/startup`]: () => Response.json(startup),
    [`GET ${AT}/ports`]: () =>
      Response.json({ ports: [port], leaving: [], limit: 3, needsRestart: false, readOnly: null }),
    [`GET ${AT}/users`]: () => Response.json([colleague]),
    [`GET ${AT}/sharing`]: () => Response.json({ limit: 3, used: 1, tier: 'none', next: null, ownEnd: null }),
    [`GET ${AT}/known-errors`]: () => Response.json({ rules: [] }),
  })
}

const fixes = {
  acceptEula: () => null,
  chooseJava: () => null,
  disablePlugin: () => null,
  fixPorts: () => null,
  restoreWorld: () => null,
  fitHeap: () => null,
  freeStorage: () => null,
}
const PAGES: Readonly<Record<string, () => ReactNode>> = {
  control: () => <ConsolePage id={ID} fixes={fixes} />,
  console: () => <ConsolePage id={ID} fixes={fixes} />,
  file: () => <FilesPage id={ID} />,
  user: () => <CollaboratorsPage id={ID} />,
  allocation: () => <NetworksPage id={ID} />,
  startup: () => <StartupPage id={ID} />,
  settings: () => <ServerSettingsPage id={ID} withdrawal={null} sftp={() => null} filesSize={() => null} />,
  activity: () => <ServerActivityPage id={ID} />,
}
const wordOf = (catalog: typeof en, permission: Permission): string => {
  const [group, key] = permission.split('.') as ['control', 'start']
  return catalog.collaborators.keys[group][key]
}
/** The possible actions depend on the state: only what stands still is started. */
const statusFor = (permission: Permission): ServerWord => (permission === 'control.start' ? 'offline' : 'running')
const without = (permission: Permission, status = statusFor(permission)): Server =>
  shownServer({ status, permissions: OFFERED_PERMISSIONS.filter((key) => key !== permission) })

describe('a page of the panel names the permission that its reader lacks', () => {
  it.each(OFFERED_PERMISSIONS.map((permission) => [permission]))('%s', async (permission) => {
    const group = permission.slice(0, permission.indexOf('.'))
    show(PAGES[group]?.(), without(permission))
    const word = wordOf(en, permission).toLowerCase()
    const said = () => {
      const text = page.text().toLowerCase()
      return text.includes(`“${word}”`) || text.includes(`(${word})`)
    }
    await eventually(() => expect(said(), page.text()).toBe(true))
    // Nobody reads of a permission that is there.
    for (const other of OFFERED_PERMISSIONS.filter((key) => key !== permission)) {
      expect(page.text()).not.toContain(`“${wordOf(en, other)}”`)
    }
  })
})

it.each([
  ['control.start', 'offline'],
  ['control.stop', 'running'],
] as const)('the list has a button that does nothing without %s, and says why', async (permission, status) => {
  show(<RowPower server={without(permission, status)} />, without(permission, status))
  const button = await page.see('button', `Missing permission: “${wordOf(en, permission)}”`)
  expect(button.getAttribute('aria-disabled')).toBe('true')
  button.click()
  expect(page.find('.toast')).toBeUndefined()
  expect(page.calls.filter(({ name }) => name.startsWith('POST'))).toEqual([])
})

it.each([
  ['control.start', 'offline'],
  ['control.restart', 'running'],
] as const)('a fix says that its last step needs %s, and keeps the way back', async (permission, status) => {
  const server = without(permission, status)
  show(<FixDone server={server} text="Done." isBusy={false} onUndo={() => {}} />, server)
  await page.see('.known-done', `Missing permission: “${wordOf(en, permission)}”`)
  expect((await page.see('.known-done button', 'Undo')).textContent).toBe('Undo')
  expect(page.find('button', 'Start')).toBeUndefined()
})

const { permissions: files } = en.files.trouble
const SENTENCES: readonly (readonly [Permission, (catalog: typeof en) => string])[] = [
  ...(Object.keys(files) as (keyof typeof files)[]).map(
    (key) => [`file.${key}`, (catalog: typeof en) => catalog.files.trouble.permissions[key]] as const,
  ),
  ['file.update', (catalog) => catalog.files.uploads.unfinished.needsUpdate],
  ['allocation.view', (catalog) => catalog.networks.missing.view],
  ['allocation.create', (catalog) => catalog.networks.missing.create],
  ['allocation.update', (catalog) => catalog.networks.missing.update],
  ['allocation.remove', (catalog) => catalog.networks.missing.remove],
  ['startup.view', (catalog) => catalog.startup.noView],
  ['startup.update', (catalog) => catalog.startup.noUpdate],
  ['startup.update', (catalog) => catalog.serverSettings.closed.operate],
  ['startup.docker-image', (catalog) => catalog.startup.noImage],
  ['settings.rename', (catalog) => catalog.serverSettings.closed.rename],
  ['settings.reinstall', (catalog) => catalog.serverSettings.reinstall.noPermission],
  ['activity.view', (catalog) => catalog.serverActivity.forbidden],
]

it.each(Object.entries({ en, hu, de }))('sentences about a permission have its name in %s', (_, catalog) => {
  for (const [permission, sentence] of SENTENCES) {
    expect(sentence(catalog as typeof en).toLowerCase()).toContain(
      wordOf(catalog as typeof en, permission).toLowerCase(),
    )
  }
})
