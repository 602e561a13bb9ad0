// @vitest-environment happy-dom
import { useState } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { FileTrouble } from '@/features/files/file-trouble.ts'
import { nothing } from '@/features/files/list/selection.ts'
import { useWholeFolder } from '@/features/files/use-whole-folder.ts'
import type { useFolder } from '@/features/files/use-folder.ts'
import { eventually, shownPage, type ShownPage } from '../../../support/shown-page.tsx'

const PAGE = 1_000

/** A folder of 2,500 entries that is read by pages, of which one may fail. */
const Folder = ({ failsAt, times }: { failsAt: number; times: number }) => {
  const [failures, setFailures] = useState(0)
  const [count, setCount] = useState(PAGE)
  const [chosen, setChosen] = useState('nothing')
  const [isFailed, setFailed] = useState(false)
  const names = Array.from({ length: count }, (_, index) => `f${index}`)
  const more = () => {
    const fails = count >= failsAt && failures < times
    setFailed(fails)
    if (fails) setFailures(failures + 1)
    else setCount(Math.min(2_500, count + PAGE))
  }
  const error = isFailed ? new FileTrouble('AWAY') : null
  const read = {
    more,
    isWhole: count === 2_500,
    query: { isFetchNextPageError: isFailed, error, errorUpdateCount: failures },
  }
  const whole = useWholeFolder({
    folder: 'world',
    read: read as unknown as ReturnType<typeof useFolder>,
    onRead: (choose) => {
      const { chosen: all, at } = choose(names, nothing)
      setChosen(`${all.size} to ${at ?? ''}`)
    },
    onFailed: (failure) => setChosen(failure instanceof FileTrouble ? failure.code : ''),
  })
  return (
    <>
      <button onClick={() => whole.want('all')}>all</button>
      <button onClick={() => whole.want('end')}>end</button>
      <output>{chosen}</output>
      <i>{whole.isReading ? 'reading' : 'still'}</i>
    </>
  )
}

let page: ShownPage
afterEach(() => {
  page.close()
  vi.unstubAllGlobals()
})
const open = (failsAt = Number.POSITIVE_INFINITY, times = Number.POSITIVE_INFINITY) => {
  page = shownPage(<Folder failsAt={failsAt} times={times} />, {})
}
const press = async (text: string) => (await page.see('button', text)).click()

it('all is all of the folder, also where only its beginning was read', async () => {
  open()
  await press('all')
  await page.see('output', '2500 to f0')
  await eventually(() => expect(page.find('i', 'still')).toBeDefined())
})

it('the end is the end of the folder', async () => {
  open()
  await press('end')
  expect((await page.see('output', 'f2499')).textContent).toBe('1 to f2499')
})

it('nothing is chosen when the rest cannot be read, and that is said', async () => {
  open(2 * PAGE)
  await press('all')
  await page.see('output', 'AWAY')
  await eventually(() => expect(page.find('i', 'still')).toBeDefined())
})

it('a page that has failed is asked for again by the next wish', async () => {
  open(2 * PAGE, 1)
  await press('all')
  await page.see('output', 'AWAY')
  await press('end')
  expect((await page.see('output', 'f2499')).textContent).toBe('1 to f2499')
})
