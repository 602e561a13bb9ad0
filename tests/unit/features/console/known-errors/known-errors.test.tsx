// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import type { ConsoleLine } from '../../../../../src/contracts/panel/messages.ts'
import type { Permission } from '../../../../../src/contracts/panel/permissions.ts'
import { closedConsole } from '../../../../../src/features/console/console-store.ts'
import { KnownErrors } from '../../../../../src/features/console/known-errors/known-errors.tsx'
import { appendLines, emptyLog } from '../../../../../src/features/console/log/log-buffer.ts'
import { OWNER_ID, SHOWN_SERVER_ID, shownServer, shownUser } from '../../../../factories/shown-server.ts'
import { shownPage } from '../../../../support/shown-page.tsx'
import type { ShownPage } from '../../../../support/shown-page.tsx'

let page: ShownPage
afterEach(() => {
  page.close()
  vi.unstubAllGlobals()
})

const OTHER_ID = '01890000-0000-7000-8000-0000000000cc'
const JAVA = 'Unsupported Java detected (60.0). Only up to Java 16 is supported.'
const HEAP = 'java.lang.OutOfMemoryError: Java heap space'

type Seen = { text: string; permissions?: Permission[]; readerId?: string }
const show = ({ text, permissions, readerId = OWNER_ID }: Seen) => {
  const onShow = vi.fn<(seq: number) => void>()
  const line: ConsoleLine = [7, 1_800_000_000_000, 'o', text]
  const state = { ...closedConsole, log: appendLines(emptyLog, [line]) }
  const server = shownServer(permissions === undefined ? {} : { permissions })
  page = shownPage(
    <KnownErrors server={server} state={state} word="crashed" acceptEula={() => <i>accepts</i>} onShow={onShow} />,
    { 'GET /api/user/me': () => Response.json(shownUser({ id: readerId })) },
  )
  return onShow
}
const links = () => [...document.querySelectorAll('.known a')].map((link) => link.getAttribute('href'))
const press = (selector: string) => document.querySelector<HTMLElement>(selector)?.click()

test('a card names the problem, shows its line and leads to the page where it is put right', async () => {
  const onShow = show({ text: JAVA, permissions: ['console.read', 'startup.view'] })
  await page.see('.known', 'Wrong Java version')
  await page.see('.known-line', JAVA)
  expect(links()).toEqual([`/panel/${SHOWN_SERVER_ID}/startup`])
  press('.known-line')
  expect(onShow).toHaveBeenCalledWith(7)
})

test('a reader without the permission reads which one is missing', async () => {
  show({ text: JAVA, permissions: ['console.read'], readerId: OTHER_ID })
  await page.see('.known', 'You need the permission “View startup” to fix this.')
  expect(links()).toEqual([])
})

test('only the owner is led to more memory', async () => {
  show({ text: HEAP, readerId: OTHER_ID })
  await page.see('.known', 'Only the owner can add memory.')
  expect(links()).toEqual([])
})

test('the part of the page that can accept the EULA stands in its card', async () => {
  show({ text: 'You need to agree to the EULA in order to run the server. Go to eula.txt for more info.' })
  await page.see('.known', 'accepts')
  expect(links()).toEqual([])
})
