// @vitest-environment happy-dom
import { act, useState } from 'react'
import { expect, test, vi } from 'vitest'
import { ActDialog } from '../../../../../src/cms/admin/money/act-dialog.tsx'
import { actAsAdmin } from '../../../../../src/cms/admin/money/ask-admin.ts'
import { press, refusal, settled, showAdmin, textOf, type SiteAnswer } from '../../../../support/admin-screen.tsx'

vi.mock('@payloadcms/ui', () => import('../../../../support/payload-ui.tsx'))

const REASON = 'The customer asked for it.'
/** A page with one act on a debt, that can be opened again. */
const Page = ({ id, reason = REASON, onClose }: { id: string; reason?: string; onClose?: () => void }) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      {isOpen ? (
        <ActDialog
          title="Sure?"
          confirm="Do it"
          onConfirm={async () => {
            const answer = await actAsAdmin('POST /api/admin/debts/{id}/write-off', { id, input: { reason } })
            return answer.ok ? undefined : answer
          }}
          onClose={() => {
            setOpen(false)
            onClose?.()
          }}
        >
          <p>Text</p>
        </ActDialog>
      ) : null}
    </>
  )
}

const DONE = { amountFt: 500 }
const queue = (...answers: SiteAnswer[]) => {
  const left = [...answers]
  return () => (left.length > 1 ? left.shift() : left[0])
}
const keysOf = (posts: readonly { key: string | null }[]) => posts.map(({ key }) => key)
const dialogs = () => document.querySelectorAll('dialog').length

test.each([
  ['no answer', undefined],
  ['a control plane that did not answer in time', refusal(503, 'CONTROL_PLANE_UNAVAILABLE')],
  ['a fault on our side', refusal(500, 'INTERNAL')],
  ['an answer that nobody can read', new Response('<html>', { status: 502 })],
  ['the same act that still runs', refusal(409, 'IN_PROGRESS')],
])('after %s it says that nobody knows, and another press carries the same key', async (name, first) => {
  const { posts } = await showAdmin(<Page id={`unknown ${name}`} />, queue(first, DONE))
  await press('Open')
  await press('Do it')
  expect(textOf('[role=alert]')).toContain("We don't know whether this was done.")
  await press('Do it')
  const [one, two] = keysOf(posts())
  expect(one).toMatch(/^[0-9a-f-]{36}$/)
  expect(two).toBe(one)
  expect(dialogs()).toBe(0)
})

test('a dialog that is closed and opened again after no answer asks for the same act', async () => {
  const { posts } = await showAdmin(<Page id="reopened" />, queue(undefined, DONE))
  await press('Open')
  await press('Do it')
  await press('Cancel')
  expect(dialogs()).toBe(0)
  await press('Open')
  await press('Do it')
  expect(new Set(keysOf(posts())).size).toBe(1)
})

test('a refusal before the act, as of too many requests, says nothing of the try before it', async () => {
  const { posts } = await showAdmin(<Page id="limited" />, queue(undefined, refusal(429, 'TOO_MANY_REQUESTS'), DONE))
  await press('Open')
  await press('Do it')
  await press('Do it')
  expect(textOf('[role=alert]')).toBe('TOO_MANY_REQUESTS in words')
  await press('Do it')
  expect(new Set(keysOf(posts())).size).toBe(1)
})

test('a finished act is settled: the same wish again is another act', async () => {
  const { posts } = await showAdmin(<Page id="twice" />, () => DONE)
  for (const _ of [1, 2]) {
    await press('Open')
    await press('Do it')
  }
  expect(new Set(keysOf(posts())).size).toBe(2)
})

test('another wish, and the same wish for another, carry other keys', async () => {
  const { posts, show } = await showAdmin(<Page id="a" />, () => undefined)
  await press('Open')
  for (const wish of [{ id: 'a' }, { id: 'b' }, { id: 'b', reason: 'Another reason of ours' }]) {
    await show(<Page {...wish} />)
    await press('Do it')
  }
  expect(new Set(keysOf(posts())).size).toBe(3)
})

test('keys are made where the page is not served over https', async () => {
  const { getRandomValues } = crypto
  vi.stubGlobal('crypto', { getRandomValues: getRandomValues.bind(crypto) })
  const { posts } = await showAdmin(<Page id="plain http" />, () => DONE)
  await press('Open')
  await press('Do it')
  expect(keysOf(posts())[0]).toMatch(/^[0-9a-f-]{36}$/)
})

/**
 * The behaviour of a browser on Escape: it asks, and closes unless it is refused. A second press in a row it does not
 * ask about.
 */
async function escape({ isSecond = false } = {}): Promise<'closed' | 'refused'> {
  const box = document.querySelector('dialog')
  let isRefused = false
  await act(async () => {
    isRefused = box?.dispatchEvent(new Event('cancel', { cancelable: true })) === false && !isSecond
    if (!isRefused) box?.close()
  })
  return isRefused ? 'refused' : 'closed'
}

test('Escape closes a dialog that waits, and not one whose answer is on its way', async () => {
  let answer = (_body: object) => {}
  const onClose = vi.fn<() => void>()
  const slow = () => new Promise<object>((resolve) => (answer = resolve))
  await showAdmin(<Page id="slow" onClose={onClose} />, slow)
  await press('Open')
  expect(await escape()).toBe('closed')
  expect(dialogs()).toBe(0)
  await press('Open')
  onClose.mockClear()
  await press('Do it')
  expect(await escape()).toBe('refused')
  await escape({ isSecond: true })
  expect(document.querySelector('dialog')?.open).toBe(true)
  expect(onClose).not.toHaveBeenCalled()
  answer(DONE)
  await settled()
  expect([dialogs(), onClose.mock.calls.length]).toEqual([0, 1])
})

test('Cancel and success close the modal itself, so that the browser gives the focus back', async () => {
  const close = vi.spyOn(HTMLDialogElement.prototype, 'close')
  await showAdmin(<Page id="focus" />, () => DONE)
  await press('Open')
  await press('Cancel')
  expect([close.mock.calls.length, dialogs()]).toEqual([1, 0])
  await press('Open')
  await press('Do it')
  expect([close.mock.calls.length, dialogs()]).toEqual([2, 0])
})
