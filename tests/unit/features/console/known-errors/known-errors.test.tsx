// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import type { ConsoleLine } from '../../../../../src/contracts/panel/messages.ts'
import { PERMISSIONS } from '../../../../../src/contracts/panel/permissions.ts'
import type { Permission } from '../../../../../src/contracts/panel/permissions.ts'
import type { ServerWord } from '../../../../../src/domain/servers/status.ts'
import { closedConsole } from '../../../../../src/features/console/console-store.ts'
import type { StaffKnownError } from '../../../../../src/contracts/http/panel/known-errors.ts'
import { KnownErrors } from '../../../../../src/features/console/known-errors/known-errors.tsx'
import type { KnownFixes } from '../../../../../src/features/console/known-errors/known-errors.tsx'
import { appendLines, emptyLog } from '../../../../../src/features/console/log/log-buffer.ts'
import { ToastProvider } from '../../../../../src/ui/surfaces/toast.tsx'
import { OWNER_ID, SHOWN_SERVER_ID, shownServer, shownUser } from '../../../../factories/shown-server.ts'
import { eventually, refused, shownPage } from '../../../../support/shown-page.tsx'
import type { ShownPage } from '../../../../support/shown-page.tsx'

let page: ShownPage
afterEach(() => {
  page.close()
  vi.unstubAllGlobals()
})

const OTHER_ID = '01890000-0000-7000-8000-0000000000cc'
const JAVA = 'Unsupported Java detected (60.0). Only up to Java 16 is supported.'
const HEAP = 'java.lang.OutOfMemoryError: Java heap space'

type Seen = {
  text: string
  above?: string
  permissions?: Permission[]
  readerId?: string
  reader?: Promise<Response>
  rules?: StaffKnownError[]
  word?: ServerWord
}
const show = ({
  text,
  above = 'Loading',
  permissions,
  readerId = OWNER_ID,
  reader,
  rules = [],
  word = 'crashed',
}: Seen) => {
  const onShow = vi.fn<(seq: number) => void>()
  const lines: ConsoleLine[] = [
    [6, 1_800_000_000_000, 'o', above],
    [7, 1_800_000_000_000, 'o', text],
  ]
  const state = { ...closedConsole, log: appendLines(emptyLog, lines) }
  const server = shownServer({ status: word, permissions: permissions ?? [...PERMISSIONS] })
  const fixes: KnownFixes = {
    acceptEula: () => <i>accepts</i>,
    chooseJava: (_, line, otherwise) => (
      <>
        <i>chooses for {line}</i>
        {otherwise}
      </>
    ),
    disablePlugin: (_, path) => <i>disables {path}</i>,
    fixPorts: ({ line, above: lines }, otherwise) => (
      <>
        <i>
          corrects for {lines.join()} {line}
        </i>
        {otherwise}
      </>
    ),
    restoreWorld: ({ word, line }) => (
      <i>
        {word}: restores for {line}
      </i>
    ),
    fitHeap: (_, otherwise) => otherwise,
    freeStorage: (_, otherwise) => (
      <>
        <i>clears</i>
        {otherwise}
      </>
    ),
  }
  page = shownPage(
    <ToastProvider closeLabel="Close">
      <KnownErrors server={server} state={state} word={word} fixes={fixes} onShow={onShow} />
    </ToastProvider>,
    {
      'GET /api/user/me': () => reader ?? Response.json(shownUser({ id: readerId })),
      [`POST /api/server/${SHOWN_SERVER_ID}/power`]: () => refused('POWER_ACTION_RUNNING'),
      [`GET /api/server/${SHOWN_SERVER_ID}/known-errors`]: () => Response.json({ rules }),
    },
  )
  return onShow
}
const staffRule = (more: Partial<StaffKnownError> = {}): StaffKnownError => ({
  id: '01890000-0000-7000-8000-0000000000dd',
  title: 'The oven is cold',
  explanation: 'Heat it.',
  pattern: 'oven is .{1,9} cold',
  actions: ['files', 'networks', 'modification'],
  ...more,
})
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

const LOCKED =
  'java.lang.IllegalStateException: ./world/session.lock: already locked (possibly by other Minecraft instance?)'

test('a world that is still locked is started again from its card', async () => {
  show({ text: LOCKED })
  await page.see('.known', 'The world is still locked')
  ;(await page.see('.known button', /^Start/)).click()
  await eventually(() => expect(page.calls.filter(({ name }) => name.startsWith('POST'))).toHaveLength(1))
  expect(page.calls.find(({ name }) => name.startsWith('POST'))?.body).toMatchObject({ action: 'start' })
})

test('a locked world offers no start to a reader who may not start it', async () => {
  show({ text: LOCKED, permissions: ['console.read'] })
  await page.see('.known', "A start doesn't change any files.")
  expect(page.find('.known button', /^Start/)).toBeUndefined()
})

test('full storage is cleared in the card, and leads to the files and to a larger size', async () => {
  show({ text: 'java.io.IOException: No space left on device' })
  await page.see('.known', 'The storage is full')
  await page.see('.known', 'clears')
  expect(links()).toEqual([`/panel/${SHOWN_SERVER_ID}/files`, `/panel/${SHOWN_SERVER_ID}/settings#resources`])
})

test('only the owner is led to more memory', async () => {
  show({ text: HEAP, readerId: OTHER_ID })
  await page.see('.known', 'Only the owner can change the size.')
  expect(links()).toEqual([])
})

test('an owner reads no refusal while it is not known who reads', async () => {
  show({ text: HEAP, reader: new Promise<Response>(() => {}) })
  await page.see('.known', 'The server ran out of memory')
  expect(document.body.textContent).not.toContain('Only the owner')
  expect(links()).toEqual([`/panel/${SHOWN_SERVER_ID}/settings#resources`])
})

test('the part of the page that can accept the EULA stands in its card', async () => {
  show({ text: 'You need to agree to the EULA in order to run the server. Go to eula.txt for more info.' })
  await page.see('.known', 'accepts')
  expect(links()).toEqual([])
})

test('the image is chosen for the line that names the Java, and the page stays within reach', async () => {
  show({ text: JAVA })
  await page.see('.known', `chooses for ${JAVA}`)
  expect(links()).toEqual([`/panel/${SHOWN_SERVER_ID}/startup`])
})

test('the plugin that the line above names can be disabled', async () => {
  show({ text: 'java.util.zip.ZipException: no', above: "Could not load 'plugins/Broken.jar' in folder 'plugins'" })
  await page.see('.known', 'disables plugins/Broken.jar')
  expect(links()).toEqual([`/panel/${SHOWN_SERVER_ID}/files`])
})

test('the port is corrected with the line above, and the page of the ports stays within reach', async () => {
  show({ text: '**** FAILED TO BIND TO PORT!', above: 'Starting Minecraft server on *:25565' })
  await page.see('.known', 'corrects for Starting Minecraft server on *:25565 **** FAILED TO BIND TO PORT!')
  expect(links()).toEqual([`/panel/${SHOWN_SERVER_ID}/networks`])
})

test('the world is restored by the state that the page shows', async () => {
  show({ text: 'Failed to load level.dat' })
  await page.see('.known', 'crashed: restores for Failed to load level.dat')
  expect(links()).toEqual([])
})

test('without the name of a file nothing is offered but the folder', async () => {
  show({ text: 'java.util.zip.ZipException: no' })
  await page.see('.known', "A plugin can't be loaded")
  expect(document.body.textContent).not.toContain('disables')
  expect(links()).toEqual([`/panel/${SHOWN_SERVER_ID}/files`])
})

test("a rule of staff's shows its card for a line from before the rule arrived, with its links", async () => {
  const onShow = show({ text: '[ERR] The oven is too cold', rules: [staffRule()] })
  await page.see('.known', 'The oven is cold')
  await page.see('.known', 'Heat it.')
  expect(links()).toEqual([
    `/panel/${SHOWN_SERVER_ID}/files`,
    `/panel/${SHOWN_SERVER_ID}/networks`,
    `/panel/${SHOWN_SERVER_ID}/settings#resources`,
  ])
  press('.known-line')
  expect(onShow).toHaveBeenCalledWith(7)
  press('.known .icon-btn')
  await vi.waitFor(() => expect(document.querySelector('.known')).toBeNull())
})

test('a rule with a broken pattern is left out, and the others work', async () => {
  const broken = staffRule({ id: '01890000-0000-7000-8000-0000000000de', pattern: '(a+)+b', title: 'Broken' })
  show({ text: 'The oven is too cold', rules: [broken, staffRule()] })
  await page.see('.known', 'The oven is cold')
  expect(document.body.textContent).not.toContain('Broken')
})
