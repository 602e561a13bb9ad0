// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import type { Server } from '#contracts/http/server.ts'
import { FixPortVariable } from '../../../../src/features/startup/fix-port-variable.tsx'
import { ToastProvider } from '../../../../src/ui/surfaces/toast.tsx'
import { SHOWN_SERVER_ID, shownServer, shownUser } from '../../../factories/shown-server.ts'
import { eventually, refused, shownPage } from '../../../support/shown-page.tsx'
import type { ShownPage } from '../../../support/shown-page.tsx'

const LINE = 'Error: listen EADDRINUSE: address already in use :::3000'

let page: ShownPage
afterEach(() => {
  page.close()
  vi.unstubAllGlobals()
})

type Given = { server?: Partial<Server>; line?: string; value?: string; command?: string[] }
/** The settings of a program with a port of its own, as the site keeps them. */
const open = ({ server, line = LINE, value = '3000', command = [] }: Given = {}) => {
  const saved = { version: 3, value }
  const startup = () => ({
    version: saved.version,
    changedAt: null,
    command: ['node', ...command],
    memoryMiB: 512,
    variables: [
      {
        environmentVariable: 'WEB_PORT',
        name: 'Port of the website',
        description: '',
        rules: 'required|integer',
        editable: true,
        secret: false,
        isSet: true,
        value: saved.value,
        default: '8080',
        isDefault: false,
        port: null,
        given: null,
      },
    ],
    ports: [
      { port: 25_000, primary: true },
      { port: 26_000, primary: false },
      { port: 27_000, primary: false },
    ],
    image: null,
    running: null,
  })
  page = shownPage(
    <ToastProvider closeLabel="Close">
      <FixPortVariable
        server={shownServer({ permissions: ['startup.view', 'startup.update', 'control.start'], ...server })}
        line={line}
        above={[]}
        otherwise={<i>Open network</i>}
      >
        <b>the file of the game</b>
      </FixPortVariable>
    </ToastProvider>,
    {
      'GET /api/user/me': () => Response.json(shownUser()),
      [`GET /api/server/${SHOWN_SERVER_ID}/startup`]: () => Response.json(startup()),
      [`PUT /api/server/${SHOWN_SERVER_ID}/startup`]: ({ body }) => {
        const { version, variables } = body as { version: number; variables: { WEB_PORT: string } }
        if (version !== saved.version) return refused('STARTUP_CHANGED')
        Object.assign(saved, { version: version + 1, value: variables.WEB_PORT })
        return Response.json(startup())
      },
    },
  )
  return saved
}
const press = async (text: string) => (await page.see('.known-fix button', text)).click()

test('the variable with the failed port gets one of the server, and its earlier value back', async () => {
  const saved = open()
  await page.see('.known-fix', '3000 → 26000')
  await page.see('.known-fix', 'Open network')
  await press('Set it to 26000')
  await page.see('.known-done', '“Port of the website” is now 26000. It takes effect at the next start.')
  expect(saved).toEqual({ version: 4, value: '26000' })
  await press('Undo')
  await page.see('button', 'Set it to 26000')
  expect(saved).toEqual({ version: 5, value: '3000' })
})

test('a port that an argument of the program names by its place is not offered', async () => {
  open({ command: ['--query', '{{port:1}}'] })
  await page.see('.known-fix button', 'Set it to 27000')
  expect(page.find('.known-fix button', '26000')).toBeUndefined()
})

test('settings that somebody has saved since are not undone', async () => {
  const saved = open()
  await press('Set it to 26000')
  await page.see('.known-done', 'is now 26000')
  Object.assign(saved, { version: 5, value: '27000' })
  await press('Undo')
  await page.see('b', 'the file of the game')
  expect(saved).toEqual({ version: 5, value: '27000' })
})

test('settings that somebody has saved before the click are read again, so that the next click is over them', async () => {
  const saved = open()
  await page.see('.known-fix button', 'Set it to 26000')
  saved.version = 7
  await press('Set it to 26000')
  await eventually(() => expect(page.text()).toContain('The words of STARTUP_CHANGED.'))
  expect(saved).toEqual({ version: 7, value: '3000' })
  await eventually(() => expect(page.client.isFetching()).toBe(0))
  await press('Set it to 26000')
  await page.see('.known-done', 'is now 26000')
  expect(saved).toEqual({ version: 8, value: '26000' })
})

test('a failed port that no variable holds is left to the fix of the file', async () => {
  open({ value: '25000' })
  await page.see('b', 'the file of the game')
  expect(page.find('.known-fix')).toBeUndefined()
})

test('a reader who may look and not change reads which permission is missing', async () => {
  open({ server: { permissions: ['startup.view'] } })
  await page.see('.known-fix', 'You need the permission “Edit startup” to fix this.')
  expect(page.find('.known-fix button')).toBeUndefined()
})

test('a port that is right is told, with a start', async () => {
  open({ value: '25000', line: 'Error: listen EADDRINUSE: address already in use :::25000' })
  await page.see('.known-fix', '“Port of the website” already has a port of this server.')
  await page.see('.known-fix button', 'Start')
  expect(page.find('.known-fix button', 'Set it to')).toBeUndefined()
})
