// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { ticketDrafts } from '../../../../../src/features/support/writing/ticket-draft.ts'
import { useDraftOf } from '../../../../../src/features/support/writing/use-kept-draft.ts'
import { useMovedWriting } from '../../../../../src/features/support/writing/use-moved-writing.ts'
import { shownPage, type ShownPage } from '../../../../support/shown-page.tsx'

const userId = 'anna'
const messageIn = (ticket: string) => ticketDrafts.read({ userId, ticket }).message
let page: ShownPage
afterEach(() => {
  page.close()
  window.localStorage.clear()
  vi.unstubAllGlobals()
})

const Form = ({ ticket }: { ticket: string }) => <output>{useDraftOf({ userId, ticket }).message}</output>

test('the written text moves after the page was drawn, and is in the form when it appears', async () => {
  ticketDrafts.keep({ userId, ticket: 'old' }, { message: 'It lags again' })
  const drawn: unknown[] = []
  const Place = () => {
    const isMoved = useMovedWriting(userId, 'old', 'after-old')
    drawn.push([isMoved, messageIn('old'), messageIn('after-old')])
    return isMoved ? <Form ticket="after-old" /> : null
  }
  page = shownPage(<Place />, {})
  expect((await page.see('output')).textContent).toBe('It lags again')
  expect(drawn.slice(0, 2)).toEqual([
    [false, 'It lags again', undefined],
    [true, undefined, 'It lags again'],
  ])
})

test('a ticket that follows no other one shows its form at once', async () => {
  ticketDrafts.keep({ userId, ticket: 'new' }, { message: 'Hello' })
  const drawn: boolean[] = []
  const Place = () => {
    drawn.push(useMovedWriting(userId, undefined, 'new'))
    return <Form ticket="new" />
  }
  page = shownPage(<Place />, {})
  expect((await page.see('output')).textContent).toBe('Hello')
  expect(drawn).not.toContain(false)
})
