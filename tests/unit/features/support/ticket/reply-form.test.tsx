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

test('a reply whose answer was lost is the same attempt on a page that is opened later, and nobody else has its key', async () => {
  const keys: (string | null)[] = []
  const send = async (userId: string) => {
    vi.resetModules()
    const { ReplyForm: Form } = await import('../../../../../src/features/support/ticket/reply-form.tsx')
    const { ToastProvider: Toasts } = await import('../../../../../src/ui/surfaces/toast.tsx')
    const count = keys.length
    page = shownPage(
      <Toasts closeLabel="Close">
        <Form ticketId={TICKET_ID} userId={userId} isOpener />
      </Toasts>,
      {
        [`POST /api/ticket/${TICKET_ID}/messages`]: ({ key }) => {
          keys.push(key)
          throw new TypeError('fetch failed')
        },
      },
    )
    await page.see('textarea')
    if (box().value === '') write('It lags')
    await eventually(() => expect(box().value).toBe('It lags'))
    page.find<HTMLFormElement>('form')?.requestSubmit()
    await eventually(() => expect(keys).toHaveLength(count + 1))
    page.close()
    page = undefined
  }
  await send(OWNER_ID)
  await send('01890000-0000-7000-8000-0000000000bb')
  await send(OWNER_ID)
  expect(keys[2]).toBe(keys[0])
  expect(new Set(keys).size).toBe(2)
})
