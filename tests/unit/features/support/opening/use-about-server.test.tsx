// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import type { Draft } from '../../../../../src/features/support/writing/ticket-draft.ts'
import { useAboutServer } from '../../../../../src/features/support/opening/use-about-server.ts'
import { OWNER_ID, SHOWN_SERVER_ID, shownServer } from '../../../../factories/shown-server.ts'
import { eventually, shownPage } from '../../../../support/shown-page.tsx'
import type { ShownPage } from '../../../../support/shown-page.tsx'

let page: ShownPage | undefined
afterEach(() => {
  page?.close()
  page = undefined
  vi.unstubAllGlobals()
})

const Chosen = ({ draft }: { draft: Pick<Draft, 'serverId' | 'leftOut'> }) => {
  const { serverId, isLeftOut, kept, choose, setLeftOut } = useAboutServer(OWNER_ID, draft)
  return (
    <>
      <output>{JSON.stringify({ serverId, isLeftOut, kept })}</output>
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
