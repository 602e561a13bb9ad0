// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import type { Draft } from '../../../../../src/features/support/writing/ticket-draft.ts'
import { AboutServer } from '../../../../../src/features/support/opening/about-server.tsx'
import { useAboutServer } from '../../../../../src/features/support/opening/use-about-server.ts'
import { OWNER_ID, SHOWN_SERVER_ID, shownServer } from '../../../../factories/shown-server.ts'
import { eventually, held, refused, shownPage } from '../../../../support/shown-page.tsx'
import type { Answer, ShownPage } from '../../../../support/shown-page.tsx'

let page: ShownPage | undefined
afterEach(() => {
  page?.close()
  page = undefined
  vi.unstubAllGlobals()
})

const Chosen = ({ draft }: { draft: Pick<Draft, 'serverId' | 'leftOut'> }) => {
  const about = useAboutServer(OWNER_ID, draft)
  const { serverId, isLeftOut, kept, choose, setLeftOut, isPending } = about
  return (
    <>
      <output>{JSON.stringify({ serverId, isLeftOut, kept })}</output>
      <code>{String(isPending)}</code>
      <AboutServer about={about} isChanged={false} isBusy={false} />
      <button type="button" id="choose" onClick={() => choose(SHOWN_SERVER_ID)} />
      <button type="button" id="leave-out" onClick={() => setLeftOut(true)} />
    </>
  )
}
const show = (draft: Pick<Draft, 'serverId' | 'leftOut'>, servers = [shownServer({})]) => {
  page = shownPage(<Chosen draft={draft} />, { 'GET /api/user/servers': () => Response.json(servers) })
  return page
}
const now = () => JSON.parse(page?.find('output')?.textContent ?? '{}') as unknown

test('the server of a draft, and that its facts stay out, are chosen again', async () => {
  const draft = { serverId: SHOWN_SERVER_ID, leftOut: 'yes' as const }
  show(draft)
  await eventually(() => expect(now()).toEqual({ serverId: SHOWN_SERVER_ID, isLeftOut: true, kept: draft }))
})

test('a server that the person no longer has is not chosen', async () => {
  show({ serverId: SHOWN_SERVER_ID }, [])
  await eventually(() => expect(page?.calls.some(({ name }) => name === 'GET /api/user/servers')).toBe(true))
  expect(now()).toMatchObject({ serverId: '' })
})

test('each choice is kept with the draft', async () => {
  show({})
  await eventually(() => expect(now()).toEqual({ serverId: '', isLeftOut: false, kept: { serverId: '' } }))
  page?.find('#choose')?.click()
  await eventually(() =>
    expect(now()).toMatchObject({ serverId: SHOWN_SERVER_ID, kept: { serverId: SHOWN_SERVER_ID } }),
  )
  page?.find('#leave-out')?.click()
  await eventually(() => expect(now()).toMatchObject({ kept: { serverId: SHOWN_SERVER_ID, leftOut: 'yes' } }))
})

const pending = () => page?.find('code')?.textContent
const showServersAs = (draft: Pick<Draft, 'serverId' | 'leftOut'>, answer: Answer) => {
  page = shownPage(<Chosen draft={draft} />, {
    'GET /api/user/servers': answer,
    [`GET /api/ticket-context/${SHOWN_SERVER_ID}`]: () => refused('INTERNAL'),
  })
}

test('nothing is sent before it is known whether the chosen server is still there', async () => {
  const servers = held()
  showServersAs({ serverId: SHOWN_SERVER_ID }, () => servers.response)
  await eventually(() => expect(pending()).toBe('true'))
  servers.settle(Response.json([]))
  await eventually(() => expect(pending()).toBe('false'))
})

test('a ticket without a server, or without its facts, waits for no servers', async () => {
  for (const draft of [{}, { serverId: SHOWN_SERVER_ID, leftOut: 'yes' as const }]) {
    showServersAs(draft, () => held().response)
    await eventually(() => expect(page?.calls).toHaveLength(1))
    expect(pending()).toBe('false')
    page?.close()
  }
})

test('servers that cannot be read keep nobody from asking for help: it is said that the facts stay out, and they are read again', async () => {
  let isDown = true
  showServersAs({ serverId: SHOWN_SERVER_ID }, () => (isDown ? refused('INTERNAL') : Response.json([shownServer({})])))
  await page?.see('[role=alert]', "We couldn't load the details of this server. The ticket is sent without them.")
  expect(pending()).toBe('false')
  isDown = false
  page?.find('button', 'Try again')?.click()
  await eventually(() => expect(now()).toMatchObject({ serverId: SHOWN_SERVER_ID }))
})
