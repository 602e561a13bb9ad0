// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import type { Server } from '../../../../src/contracts/http/server.ts'
import { ReinstallPanel } from '../../../../src/features/server-settings/reinstall-panel.tsx'
import { useServer } from '../../../../src/lib/servers/use-server.ts'
import { SHOWN_SERVER_ID, shownServer } from '../../../factories/shown-server.ts'
import { eventually, held, shownPage } from '../../../support/shown-page.tsx'
import type { ShownPage } from '../../../support/shown-page.tsx'

const AT = `/api/server/${SHOWN_SERVER_ID}`

let page: ShownPage
afterEach(() => {
  page.close()
  vi.unstubAllGlobals()
})

const Panel = () => {
  const server = useServer(SHOWN_SERVER_ID).data
  return server === undefined ? null : <ReinstallPanel server={server} size={null} />
}

/** Orders a reinstallation; the returned function changes the state of the server. */
const order = async (
  answer: Response | Promise<Response> = Response.json({ accepted: true }),
): Promise<(status: Server['status']) => Promise<void>> => {
  let shown = shownServer({ status: 'offline', permissions: ['settings.reinstall'] })
  page = shownPage(<Panel />, {
    'GET /api/user/servers': () => Response.json([]),
    [`GET ${AT}`]: () => Response.json(shown),
    [`POST ${AT}/reinstall`]: () => {
      shown = { ...shown, status: 'installing' }
      return answer
    },
  })
  const ask = await page.see('button', 'Reinstall…')
  ask.click()
  page.type(await page.see<HTMLInputElement>('dialog input.field__in'), shown.name)
  const confirm = await page.see<HTMLButtonElement>('dialog button[type=submit]')
  confirm.click()
  return async (status) => {
    shown = { ...shown, status }
    await page.client.invalidateQueries()
  }
}

test('an order is said while the installation replaces its form, and so is its end', async () => {
  const become = await order()
  await page.see('p', 'The server is being installed.')
  await page.see('[role=status]', 'The server is being reinstalled.')
  await become('offline')
  await page.see('[role=status]', 'The server has been reinstalled.')
  expect(page.find('[role=status]', 'is being reinstalled')).toBeUndefined()
  await page.see('button', 'Reinstall…')
})

test('an installation that fails is not said to be done', async () => {
  const become = await order()
  await page.see('[role=status]', 'The server is being reinstalled.')
  await become('error on startup')
  await page.see('.renewal', "The server didn't start.")
  expect(page.text()).not.toContain('has been reinstalled')
  expect(page.text()).not.toContain('is being reinstalled')
})

test('an order whose answer comes after the installation has begun is said', async () => {
  const { response, settle } = held()
  const become = await order(response)
  await become('installing')
  await page.see('p', 'The server is being installed.')
  settle(Response.json({ accepted: true }))
  await page.see('[role=status]', 'The server is being reinstalled.')
  await become('offline')
  await page.see('[role=status]', 'The server has been reinstalled.')
  // A later start and stop are no news of it.
  await become('running')
  await eventually(() => expect(page.text()).not.toContain('has been reinstalled'))
  await become('offline')
  await page.see('button', 'Reinstall…')
  expect(page.text()).not.toContain('has been reinstalled')
})

test('a reader who has ordered it stands at its outcome, whichever comes first, and again when it is done', async () => {
  await order()
  await page.see('p', 'The server is being installed.')
  const said = await page.see('[role=status]', 'The server is being reinstalled.')
  await eventually(() => expect(document.activeElement).toBe(said))
  page.close()

  const { response, settle } = held()
  const become = await order(response)
  await become('installing')
  await page.see('p', 'The server is being installed.')
  settle(Response.json({ accepted: true }))
  const late = await page.see('[role=status]', 'The server is being reinstalled.')
  await eventually(() => expect(document.activeElement).toBe(late))
  const link = await page.see<HTMLAnchorElement>('a', 'Open console')
  link.focus()
  await become('offline')
  await eventually(() => expect(document.activeElement?.textContent).toContain('has been reinstalled'))
})
