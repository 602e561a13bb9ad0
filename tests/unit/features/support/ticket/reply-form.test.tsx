// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ReplyForm } from '../../../../../src/features/support/ticket/reply-form.tsx'
import { ToastProvider } from '../../../../../src/ui/surfaces/toast.tsx'
import { OWNER_ID } from '../../../../factories/shown-server.ts'
import { eventually, held, shownPage } from '../../../../support/shown-page.tsx'
import type { ShownPage } from '../../../../support/shown-page.tsx'

const TICKET_ID = '01890000-0000-7000-8000-0000000000aa'
let page: ShownPage | undefined
beforeEach(() => localStorage.clear())
afterEach(() => {
  page?.close()
  page = undefined
  vi.unstubAllGlobals()
})

const box = () => page?.find<HTMLTextAreaElement>('textarea') ?? document.createElement('textarea')
const write = (text: string) => {
  Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(box(), text)
  box().dispatchEvent(new Event('input', { bubbles: true }))
}

test('nothing can be typed into a message that is on its way, and it is there again after a failure', async () => {
  const answer = held()
  page = shownPage(
    <ToastProvider closeLabel="Close">
      <ReplyForm ticketId={TICKET_ID} userId={OWNER_ID} isOpener />
    </ToastProvider>,
    { [`POST /api/ticket/${TICKET_ID}/messages`]: () => answer.response },
  )
  await page.see('textarea')
  write('The first sentence')
  await eventually(() => expect(box().value).toBe('The first sentence'))
  expect(box().readOnly).toBe(false)
  page.find<HTMLFormElement>('form')?.requestSubmit()
  await eventually(() => expect(box().readOnly).toBe(true))
  answer.settle(Response.json({ error: { code: 'TICKETS_DISABLED', message: 'Off.', params: {} } }, { status: 403 }))
  await eventually(() => expect(box().readOnly).toBe(false))
  expect(box().value).toBe('The first sentence')
})
