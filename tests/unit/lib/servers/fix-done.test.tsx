// @vitest-environment happy-dom
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { FocusKept } from '../../../../src/lib/servers/fix-done.tsx'
import { shownPage } from '../../../support/shown-page.tsx'
import type { ShownPage } from '../../../support/shown-page.tsx'

let page: ShownPage
afterEach(() => {
  page.close()
  vi.unstubAllGlobals()
})

const Fix = () => {
  const [isDone, setDone] = useState(false)
  return (
    <FocusKept state={isDone ? 'done' : 'offered'}>
      {isDone ? (
        <p>
          <button type="button" id="undo" onClick={() => setDone(false)} />
        </p>
      ) : (
        <button type="button" id="accept" onClick={() => setDone(true)} />
      )}
    </FocusKept>
  )
}
const press = (id: string) => {
  const button = document.querySelector<HTMLElement>(`#${id}`)
  button?.focus()
  button?.click()
}
const focused = () => document.activeElement?.id

test('the focus goes to the successor of a pressed button, there and back', async () => {
  page = shownPage(<Fix />, {})
  await vi.waitFor(() => expect(document.querySelector('#accept')).not.toBeNull())
  expect(focused()).not.toBe('accept')
  press('accept')
  await vi.waitFor(() => expect(focused()).toBe('undo'))
  press('undo')
  await vi.waitFor(() => expect(focused()).toBe('accept'))
})
