// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { useKeyedMutation } from '../../../../src/lib/browser-client/use-keyed-mutation.ts'
import { eventually, refused, shownPage } from '../../../support/shown-page.tsx'
import type { ShownPage } from '../../../support/shown-page.tsx'

let page: ShownPage | undefined
afterEach(() => {
  page?.close()
  window.sessionStorage.clear()
  vi.unstubAllGlobals()
})

const Buying = ({ outlivesReload = false }: { outlivesReload?: boolean }) => {
  const { mutate, status } = useKeyedMutation<{ count: number }, z.ZodType>({
    path: '/api/buy',
    schema: z.any(),
    outlivesReload,
    stale: [],
  })
  return (
    <button type="button" onClick={() => mutate({ count: 1 })}>
      {status}
    </button>
  )
}

test('the same key asks again for what nobody knows the end of, and a new one after an answer that settled it', async () => {
  const answers = [
    refused('CONTROL_PLANE_UNAVAILABLE'),
    refused('TOO_MANY_REQUESTS'),
    refused('IN_PROGRESS'),
    refused('PRICE_CHANGED'),
    Response.json({}),
    Response.json({}),
  ]
  const shown = shownPage(<Buying />, { 'POST /api/buy': () => answers.shift() ?? refused('INTERNAL') })
  page = shown
  for (const [index, status] of (['error', 'error', 'error', 'error', 'success', 'success'] as const).entries()) {
    const button = await shown.see('button', /^(?:idle|error|success)/)
    button.click()
    await eventually(() => expect(shown.calls).toHaveLength(index + 1))
    await shown.see('button', status)
  }
  const keys = shown.calls.map(({ key }) => key)
  expect(keys.slice(0, 4)).toEqual(Array.from({ length: 4 }, () => keys[0]))
  expect(new Set(keys).size).toBe(3)
})

test.each([
  ['of a text that is still there after a reload is kept in the tab until it is answered', true],
  ['of anything else lives as long as its page', false],
])('the key %s', async (_whose, outlivesReload) => {
  const answers = [refused('CONTROL_PLANE_UNAVAILABLE'), Response.json({})]
  const buying = <Buying outlivesReload={outlivesReload} />
  const shown = shownPage(buying, { 'POST /api/buy': () => answers.shift() ?? refused('INTERNAL') })
  page = shown
  const kept = () => window.sessionStorage.getItem('bakter:attempt:/api/buy')
  ;(await shown.see('button', 'idle')).click()
  await shown.see('button', 'error')
  const sent = { body: '{"count":1}', key: shown.calls[0]?.key }
  expect(JSON.parse(kept() ?? 'null')).toEqual(outlivesReload ? sent : null)
  ;(await shown.see('button', 'error')).click()
  await shown.see('button', 'success')
  expect([kept(), new Set(shown.calls.map(({ key }) => key)).size]).toEqual([null, 1])
})
