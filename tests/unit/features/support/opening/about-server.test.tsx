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

type Kept = Parameters<typeof useAboutServer>[1]

const Opening = ({ isChanged, draft }: { isChanged: boolean; draft: Kept }) => {
  const about = useAboutServer(server.owner.id, draft)
  return (
    <>
      <AboutServer about={about} isChanged={isChanged} isBusy={false} />
      <output>{JSON.stringify(about.body())}</output>
      <code>{JSON.stringify(about.kept)}</code>
      <button type="button" id="look" onClick={about.lookAgain} />
    </>
  )
}

let page: ShownPage | undefined
afterEach(() => {
  page?.close()
  vi.unstubAllGlobals()
})

const show = async (answer: Answer, isChanged = false) => {
  page = shownPage(<Opening isChanged={isChanged} draft={{}} />, {
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

test('a machine that is away is asked again on demand', async () => {
  let isAway = true
  const shown = await show(() => (isAway ? seenAs({ log: null, missing: 'away' }) : seenAs({}))())
  await shown.see('[role=status]', "We can't reach the console")
  isAway = false
  shown.find<HTMLButtonElement>('[role=status] button', 'Try again')?.click()
  await shown.see('[role=option]', 'first')
  expect(shown.find('button', 'Try again')).toBeUndefined()
})

test('of a suspended server it is said that its console stays out, and lines before a crash are still shown', async () => {
  await (await show(seenAs({ log: null, missing: 'suspended' }))).see('p', 'This server is suspended')
  page?.close()
  const log = { at: '2026-06-01T10:00:00.000Z', lines: ['first'], source: 'crash' as const }
  const shown = await show(seenAs({ log, missing: 'suspended' }))
  await shown.see('p', 'This server is suspended')
  await shown.see('[role=option]', 'first')
  expect(shown.find('p', 'has no lines yet')).toBeUndefined()
})

/** Answers of a server whose console has other lines, and so another mark, in each look. */
const looks = (...lines: (readonly string[])[]) => {
  let at = 0
  return () => {
    const log = { at: '2026-06-01T10:00:00.000Z', lines: [...(lines[at] ?? [])], source: 'console' as const }
    at += 1
    return Response.json({ context: { ...context, log }, mark: String(at).repeat(64) })
  }
}
const sentInLook = (look: number, withoutLines?: number[]) => ({
  server: { id: server.id, mark: String(look).repeat(64), ...(withoutLines && { withoutLines }) },
})

test('lines that were left out stay out in another look, wherever they stand, and it is said', async () => {
  const shown = await show(
    looks(
      ['start', 'password one', 'end'],
      ['password one', 'end', 'new'],
      ['end', 'new'],
      ['new', 'password one', 'password one'],
    ),
    true,
  )
  await shown.see('[role=alert]', 'The details of this server have changed. Check them')
  ;(await shown.see('[role=option]', 'password one')).click()
  await eventually(() => expect(sent()).toEqual(sentInLook(1, [1])))
  shown.find('#look')?.click()
  await eventually(() => expect(sent()).toEqual(sentInLook(2, [0])))
  await shown.see('[role=alert]', 'The lines that you left out stay out')
  expect(shown.find('[role=option]', 'password one')?.getAttribute('aria-selected')).toBe('false')
  // Also through a look that does not show them.
  shown.find('#look')?.click()
  await eventually(() => expect(sent()).toEqual(sentInLook(3)))
  shown.find('#look')?.click()
  await eventually(() => expect(sent()).toEqual(sentInLook(4, [1, 2])))
})

test('a line that was put back goes along in the next look', async () => {
  const shown = await show(looks(['one', 'two'], ['one', 'two', 'three'], ['two', 'three', 'one']))
  for (const line of ['one', 'two']) (await shown.see('[role=option]', line)).click()
  await eventually(() => expect(sent()).toEqual(sentInLook(1, [0, 1])))
  shown.find('#look')?.click()
  await eventually(() => expect(sent()).toEqual(sentInLook(2, [0, 1])))
  ;(await shown.see('[role=option]', 'two')).click()
  await eventually(() => expect(sent()).toEqual(sentInLook(2, [0])))
  shown.find('#look')?.click()
  await eventually(() => expect(sent()).toEqual(sentInLook(3, [2])))
})

test('a restored draft leaves the same lines out, and does not contain them', async () => {
  const first = await show(looks(['start', 'password one']))
  ;(await first.see('[role=option]', 'password one')).click()
  await eventually(() => expect(sent()).toEqual(sentInLook(1, [1])))
  const kept = document.querySelector('code')?.textContent ?? ''
  expect(kept).not.toContain('password')
  page?.close()
  const draft = JSON.parse(kept) as Kept
  page = shownPage(<Opening isChanged={false} draft={draft} />, {
    'GET /api/user/servers': () => Response.json([server]),
    [`GET /api/ticket-context/${server.id}`]: looks(['password one', 'later']),
  })
  await eventually(() => expect(sent()).toEqual(sentInLook(1, [0])))
  expect(JSON.parse(document.querySelector('code')?.textContent ?? '')).toEqual(draft)
})
