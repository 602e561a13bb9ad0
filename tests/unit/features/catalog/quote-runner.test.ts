import { expect, test } from 'vitest'
import type { Quote, QuoteRequest } from '../../../../src/contracts/http/order.ts'
import { createQuoteRunner } from '../../../../src/features/catalog/quote-runner.ts'
import type { QuoteState } from '../../../../src/features/catalog/quote-runner.ts'
import { quoteOf, services } from '../../../support/fake-site/fixtures.ts'
import { manualTimers } from '../realtime/manual-timers.ts'

const service = services[0]
const request = (months: number): QuoteRequest => ({
  serviceId: service?.id ?? '',
  packageId: service?.packages[0]?.id,
  months,
})

const build = () => {
  const timers = manualTimers()
  const asked: { request: QuoteRequest; signal: AbortSignal; answer: (quote: Quote) => void; fail: () => void }[] = []
  const states: QuoteState[] = []
  const runner = createQuoteRunner({
    ask: (body, signal) =>
      new Promise((resolve, reject) => {
        asked.push({ request: body, signal, answer: resolve, fail: () => reject(new Error('away')) })
      }),
    timers,
    onState: (state) => states.push(state),
  })
  const answer = async (at: number) => {
    const question = asked[at]
    if (!question) throw new Error(`Question ${at} was not asked`)
    question.answer(quoteOf(question.request, 5_000, 0))
    await timers.advance(0)
  }
  return { timers, asked, states, runner, answer }
}

test('a row of choices asks once, 200 ms after the last of them', async () => {
  const { timers, asked, runner } = build()
  for (const months of [1, 2, 3]) {
    runner.request(request(months))
    await timers.advance(199)
  }
  expect(asked).toHaveLength(0)
  await timers.advance(1)
  expect(asked.map((question) => question.request.months)).toEqual([3])
})

test('an answer to an older choice is aborted and thrown away', async () => {
  const { timers, asked, states, runner, answer } = build()
  runner.request(request(1))
  await timers.advance(200)
  runner.request(request(6))
  expect(asked[0]?.signal.aborted).toBe(true)
  await timers.advance(200)
  await answer(1)
  await answer(0)
  expect(states.at(-1)?.quote?.months).toBe(6)
  expect(states.at(-1)?.isCurrent).toBe(true)
})

test('the old price stays, marked as old, until the new one comes', async () => {
  const { timers, states, runner, answer } = build()
  runner.request(request(1))
  await timers.advance(200)
  await answer(0)
  runner.request(request(2))
  expect(states.at(-1)).toMatchObject({ isCurrent: false, quote: { months: 1 } })
})

test('a failure is told, and trying again asks the same', async () => {
  const { timers, asked, states, runner, answer } = build()
  runner.request(request(4))
  await timers.advance(200)
  asked[0]?.fail()
  await timers.advance(0)
  expect(states.at(-1)?.failure).toBeInstanceOf(Error)
  runner.retry()
  await timers.advance(200)
  await answer(1)
  expect(states.at(-1)).toMatchObject({ isCurrent: true, failure: null, quote: { months: 4 } })
})

test('a closed runner asks nothing', async () => {
  const { timers, asked, runner } = build()
  runner.request(request(1))
  runner.close()
  await timers.advance(1_000)
  expect(asked).toHaveLength(0)
})
