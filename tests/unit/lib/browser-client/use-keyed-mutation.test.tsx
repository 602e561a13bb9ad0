// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ReactNode } from 'react'
import * as z from 'zod'
import { useKeyedMutation } from '../../../../src/lib/browser-client/use-keyed-mutation.ts'
import { eventually, refused, shownPage } from '../../../support/shown-page.tsx'
import type { ShownPage } from '../../../support/shown-page.tsx'

let page: ShownPage | undefined
beforeEach(() => localStorage.clear())
afterEach(() => {
  page?.close()
  vi.unstubAllGlobals()
})

const Buying = () => {
  const { mutate, status } = useKeyedMutation<{ count: number }, z.ZodType>({
    path: '/api/buy',
    schema: z.any(),
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

test('an attempt of a draft is the same for the same words with another look, also after its page, and another one for other words', async () => {
  const Telling = ({ look, words = 'Help' }: { look: number; words?: string }) => {
    const { mutate, status } = useKeyedMutation<{ words: string; look: number }, z.ZodType>({
      path: '/api/tell',
      schema: z.any(),
      draft: 'anna:new',
      sameAs: (body) => body.words,
      stale: [],
    })
    return (
      <button type="button" onClick={() => mutate({ words, look })}>
        {status}
      </button>
    )
  }
  const told = async (telling: ReactNode) => {
    const shown = shownPage(telling, { 'POST /api/tell': () => refused('CONTROL_PLANE_UNAVAILABLE') })
    page = shown
    const button = await shown.see('button', 'idle')
    button.click()
    await shown.see('button', 'error')
    shown.close()
    return shown.calls.map(({ body, key }) => [body, key])
  }
  const [[first, key] = []] = await told(<Telling look={1} />)
  expect(first).toEqual({ words: 'Help', look: 1 })
  expect(await told(<Telling look={2} />)).toEqual([[{ words: 'Help', look: 2 }, key]])
  const [[, other] = []] = await told(<Telling look={2} words="Thanks" />)
  expect(other).not.toBe(key)
})
