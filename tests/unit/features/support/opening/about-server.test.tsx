// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import type { ServerContext } from '#contracts/http/desk/server-context.ts'
import { AboutServer } from '../../../../../src/features/support/opening/about-server.tsx'
import { useAboutServer } from '../../../../../src/features/support/opening/use-about-server.ts'
import { shownServer } from '../../../../factories/shown-server.ts'
import { eventually, refused, shownPage, type Answer, type ShownPage } from '../../../../support/shown-page.tsx'

const server = shownServer()
const MARK = 'a'.repeat(64)
const context: ServerContext = {
  serverId: server.id,
  identifier: server.identifier,
  name: 'Castle',
  game: 'Minecraft',
  template: 'Paper',
  version: '1.21',
  status: 'running',
  errors: [],
  log: { at: '2026-06-01T10:00:00.000Z', lines: ['first', 'second', 'third'], source: 'console' },
  missing: null,
}

const Opening = ({ isChanged }: { isChanged: boolean }) => {
  const about = useAboutServer(server.owner.id, {})
  return (
    <>
      <AboutServer about={about} isChanged={isChanged} isBusy={false} />
      <output>{JSON.stringify(about.body())}</output>
    </>
  )
}

let page: ShownPage | undefined
afterEach(() => {
  page?.close()
  vi.unstubAllGlobals()
})

const show = async (answer: Answer, isChanged = false) => {
  page = shownPage(<Opening isChanged={isChanged} />, {
    'GET /api/user/servers': () => Response.json([server]),
    [`GET /api/ticket-context/${server.id}`]: answer,
  })
  const select = await page.see<HTMLSelectElement>('select')
  await page.see('option', server.name)
  Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value')?.set?.call(select, server.id)
  select.dispatchEvent(new Event('change', { bubbles: true }))
  return page
}
const seenAs = (facts: Partial<ServerContext>) => () => Response.json({ context: { ...context, ...facts }, mark: MARK })
const sent = () => JSON.parse(document.querySelector('output')?.textContent ?? '') as unknown
const key = (name: string) =>
  document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }))

test('each line can be left out with the keyboard and the mouse, and put back', async () => {
  const shown = await show(seenAs({}))
  const last = await shown.see('[role=option]', 'third')
  expect(document.querySelectorAll('[role=option][tabindex="0"]')).toHaveLength(1)
  last.focus()
  for (const line of ['second', 'first']) {
    key('ArrowUp')
    await eventually(() => expect(document.activeElement?.textContent).toBe(line))
  }
  key(' ')
  await eventually(() => expect(sent()).toEqual({ server: { id: server.id, mark: MARK, withoutLines: [0] } }))
  shown.find<HTMLElement>('[role=option]', 'third')?.click()
  await shown.see('[role=status]', '1 of 3 lines go along')
  expect(sent()).toEqual({ server: { id: server.id, mark: MARK, withoutLines: [0, 2] } })
  expect(shown.find('[role=option]', 'first')?.getAttribute('aria-selected')).toBe('false')
  shown.find<HTMLButtonElement>('button', 'Put all lines back')?.click()
  await eventually(() => expect(sent()).toEqual({ server: { id: server.id, mark: MARK } }))
})

test('a console is named as that, and lines from before a crash as those', async () => {
  const running = await show(seenAs({}))
  await running.see('p', 'Last 3 lines of the console, the newest from')
  expect(running.text()).not.toContain('crash of')
  page?.close()
  const log = { at: '2026-06-01T10:00:00.000Z', lines: ['first'], source: 'crash' as const }
  const shown = await show(seenAs({ log, missing: 'away' }))
  await shown.see('p', 'Last line before the crash of')
  await shown.see('[role=status]', "We can't reach the console on this server's machine right now")
})

test('a console without lines is called that, and a machine that is away is not called an empty console', async () => {
  await (await show(seenAs({ log: null, missing: 'empty' }))).see('p', 'The console of this server has no lines yet.')
  page?.close()
  const shown = await show(seenAs({ log: null, missing: 'away' }))
  await shown.see('[role=status]', "We can't reach the console")
  expect(shown.find('p', 'has no lines yet')).toBeUndefined()
})

test('facts that changed meanwhile are announced, and those that cannot be loaded say that the ticket goes without them', async () => {
  await (await show(seenAs({}), true)).see('[role=alert]', 'The details of this server have changed.')
  page?.close()
  let isDown = true
  const shown = await show(() => (isDown ? refused('INTERNAL') : seenAs({})()))
  await shown.see('[role=alert]', "We couldn't load the details of this server. The ticket is sent without them.")
  expect(sent()).toEqual({})
  isDown = false
  shown.find<HTMLButtonElement>('button', 'Try again')?.click()
  await shown.see('[role=option]', 'first')
  expect(sent()).toEqual({ server: { id: server.id, mark: MARK } })
})
