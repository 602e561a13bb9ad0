// @vitest-environment happy-dom
import { useState } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiFailure } from '../../../../src/lib/browser-client/failure.ts'
import { useQuote } from '../../../../src/lib/ordering/use-quote.ts'
import { eventually, shownPage } from '../../../support/shown-page.tsx'
import type { ShownPage } from '../../../support/shown-page.tsx'

type Asked = {
  months: number
  signal: AbortSignal
  answer: (price: string) => void
  refuse: (why: string | Error) => void
}

let page: ShownPage
afterEach(() => {
  page.close()
  vi.unstubAllGlobals()
})

const show = async () => {
  const asked: Asked[] = []
  const ask = ({ months }: { months: number }, signal: AbortSignal) =>
    new Promise<string>((resolve, reject) => {
      asked.push({
        months,
        signal,
        answer: resolve,
        refuse: (why) => reject(typeof why === 'string' ? new Error(why) : why),
      })
    })
  const Price = () => {
    const [months, setMonths] = useState(1)
    const { quote, isCurrent, failure, retry } = useQuote({ queryKey: ['price'], request: { months }, ask })
    return (
      <>
        <p id="price">{`${quote ?? 'none'} ${isCurrent ? 'current' : 'stale'}`}</p>
        <p id="failure">{failure instanceof Error ? failure.message : ''}</p>
        {[1, 2, 3, 4].map((count) => (
          <button key={count} type="button" onClick={() => setMonths(count)}>{`${count} months`}</button>
        ))}
        <button type="button" onClick={retry}>
          Again
        </button>
      </>
    )
  }
  page = shownPage(<Price />, {})
  await page.see('#price')
  const press = (text: string) => page.find<HTMLButtonElement>('button', text)?.click()
  const question = (at: number) =>
    eventually(() => {
      const found = asked[at]
      if (!found) throw new Error(`Question ${at} was not asked`)
      return found
    })
  return { asked, press, question }
}

test('a row of choices asks once, for the last of them', async () => {
  const { asked, press, question } = await show()
  for (const months of [2, 3, 4]) press(`${months} months`)
  await question(1)
  expect(asked.map(({ months }) => months)).toEqual([1, 4])
})

test('a request that was overtaken is aborted, and its answer is never shown', async () => {
  const { press, question } = await show()
  const overtaken = await question(0)
  press('2 months')
  const newest = await question(1)
  await eventually(() => expect(overtaken.signal.aborted).toBe(true))
  newest.answer('1,980')
  await page.see('#price', '1,980 current')
  overtaken.answer('990')
  await Promise.resolve()
  expect(page.find('#price')?.textContent).toBe('1,980 current')
})

test('the last price stays, marked as stale, while another is asked for and where it is refused', async () => {
  const { press, question } = await show()
  const first = await question(0)
  first.answer('990')
  await page.see('#price', '990 current')
  press('2 months')
  await page.see('#price', '990 stale')
  const second = await question(1)
  second.refuse('No room')
  await page.see('#failure', 'No room')
  expect(page.find('#price')?.textContent).toBe('990 stale')
})

test('trying again asks for the same, and takes the failure away at once', async () => {
  const { press, question } = await show()
  const first = await question(0)
  first.refuse('Away')
  await page.see('#failure', 'Away')
  press('Again')
  const second = await question(1)
  await eventually(() => expect(page.find('#failure')?.textContent).toBe(''))
  second.answer('990')
  await page.see('#price', '990 current')
  expect(second.months).toBe(1)
})

test('a failure is not shown beside another choice', async () => {
  const { press, question } = await show()
  const first = await question(0)
  first.refuse('Away')
  await page.see('#failure', 'Away')
  press('2 months')
  // The choice has not settled yet.
  await Promise.resolve()
  expect(page.find('#failure')?.textContent).toBe('')
})

describe('a price that failed', () => {
  beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }))
  afterEach(() => void vi.useRealTimers())
  const failure = (code: 'CONTROL_PLANE_UNAVAILABLE' | 'NO_CAPACITY', status: number) =>
    new ApiFailure({ code, status, message: code })

  test('is requested again by itself once our systems may be back', async () => {
    const { question } = await show()
    const first = await question(0)
    first.refuse(failure('CONTROL_PLANE_UNAVAILABLE', 503))
    await page.see('#failure', 'CONTROL_PLANE_UNAVAILABLE')
    await vi.advanceTimersByTimeAsync(5_000)
    const second = await question(1)
    second.answer('990')
    await page.see('#price', '990 current')
    expect(second.months).toBe(1)
  })

  test('is not requested again if it was refused', async () => {
    const { asked, question } = await show()
    const first = await question(0)
    first.refuse(failure('NO_CAPACITY', 422))
    await page.see('#failure', 'NO_CAPACITY')
    await vi.advanceTimersByTimeAsync(30_000)
    expect(asked).toHaveLength(1)
  })
})
