// @vitest-environment happy-dom
import { useReducer } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useAddressChoice, useAddressText } from '../../../../src/ui/screen/address-state.ts'
import { eventually, shownPage } from '../../../support/shown-page.tsx'
import type { ShownPage } from '../../../support/shown-page.tsx'

/** The router's query, which follows the address of the browser with a delay. */
let query = ''
vi.mock('next/navigation', () => ({ useSearchParams: () => new URLSearchParams(query) }))

const Search = () => {
  const [text, setText] = useAddressText('q')
  const [which] = useAddressChoice('show', ['all', 'highlighted'])
  const [, render] = useReducer((count: number) => count + 1, 0)
  return (
    <>
      <input value={text} onChange={(event) => setText(event.currentTarget.value)} />
      <output>{which}</output>
      <button type="button" onClick={render} />
    </>
  )
}

let page: ShownPage
beforeEach(() => {
  query = ''
  window.history.replaceState(null, '', '/list')
  page = shownPage(<Search />, {})
})
afterEach(() => page.close())

/** The router reports a query. */
const report = async (next: string) => {
  query = next
  const button = await page.see<HTMLButtonElement>('button')
  button.click()
}
const field = () => page.see<HTMLInputElement>('input')

test('a link to the same page with another query changes text and choice', async () => {
  await report('q=bot&show=highlighted')
  await eventually(() => expect(page.text()).toContain('highlighted'))
  expect((await field()).value).toBe('bot')
})

test('the back button brings back the text of the address before', async () => {
  const input = await field()
  page.type(input, 'bot')
  await eventually(() => expect(window.location.search).toBe('?q=bot'))
  await report('q=bot')
  await report('')
  await eventually(() => expect(input.value).toBe(''))
})

test('a late report of what was typed does not replace what was typed since', async () => {
  const input = await field()
  page.type(input, 'b')
  await eventually(() => expect(window.location.search).toBe('?q=b'))
  page.type(input, 'bo')
  await eventually(() => expect(window.location.search).toBe('?q=bo'))
  await report('q=b')
  await report('q=bo')
  expect(input.value).toBe('bo')
})
