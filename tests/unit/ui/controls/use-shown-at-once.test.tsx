// @vitest-environment happy-dom
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { useShownAtOnce } from '../../../../src/ui/controls/use-shown-at-once.ts'
import { eventually, shownPage } from '../../../support/shown-page.tsx'
import type { ShownPage } from '../../../support/shown-page.tsx'

let page: ShownPage
const asked: boolean[] = []
afterEach(() => {
  page.close()
  asked.length = 0
  vi.unstubAllGlobals()
})

const Choice = () => {
  const [kept, setKept] = useState(false)
  const [shown, show] = useShownAtOnce(kept)
  const choose = (choice: boolean) => {
    asked.push(choice)
    show(choice)
  }
  return (
    <>
      <label>
        <input type="checkbox" checked={shown} onChange={(event) => choose(event.currentTarget.checked)} />
        {kept ? 'kept' : 'not kept'}
      </label>
      <button type="button" onClick={() => setKept((before) => !before)}>
        keep
      </button>
    </>
  )
}

const turnKept = async () => (await page.see('button', 'keep')).click()

const open = async (): Promise<HTMLInputElement> => {
  page = shownPage(<Choice />, {})
  return page.see<HTMLInputElement>('input')
}

test('a click shows when it ends, before anything is kept', async () => {
  const box = await open()
  box.click()
  expect([box.checked, asked]).toEqual([true, [true]])
  box.click()
  expect([box.checked, asked]).toEqual([false, [true, false]])
})

test('a kept value that changes later is shown: after the choice, and when it is taken back', async () => {
  const box = await open()
  box.click()
  await turnKept()
  await page.see('label', /^kept/)
  expect(box.checked).toBe(true)
  await turnKept()
  await page.see('label', 'not kept')
  await eventually(() => expect(box.checked).toBe(false))
})
