// @vitest-environment happy-dom
import { act, useEffect } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { TicketAttachment } from '#contracts/http/desk/ticket-entity.ts'
import { placeKey } from '../../../../src/lib/attachments/kept-attachments.ts'
import { moveAttachments, useAttachments, type Attachments } from '../../../../src/lib/attachments/use-attachments.ts'

type Call = { readonly method: string; readonly answer?: (attachment: TicketAttachment) => void }
const calls = vi.hoisted((): { list: Call[] } => ({ list: [] }))
vi.mock('../../../../src/lib/browser-client/browser-client.ts', () => ({
  api: {
    call: (_path: string, { method }: { method: string }) =>
      new Promise<TicketAttachment>((answer) => calls.list.push({ method, answer })),
  },
}))

const attachment = (at: number): TicketAttachment => ({
  id: `01890000-0000-7000-8000-${String(at).padStart(12, '0')}`,
  name: `${at}.log`,
  kind: 'text',
  size: 4,
})
const userId = 'anna'
const keep = (message: string, ...files: number[]) =>
  window.localStorage.setItem(
    placeKey({ userId, message }),
    JSON.stringify(files.map((at) => ({ ...attachment(at), keptAtMs: Date.now() }))),
  )
const keptAt = (message: string): unknown =>
  (JSON.parse(window.localStorage.getItem(placeKey({ userId, message })) ?? '[]') as { name: string }[]).map(
    ({ name }) => name,
  )

let root: Root
// The files on the page, as its last effect left them.
const shown: { files?: Attachments } = {}
const Tray = ({ message }: { message: string }) => {
  const files = useAttachments({ userId, message })
  useEffect(() => {
    shown.files = files
  })
  return null
}
const show = (message: string) => act(async () => root.render(<Tray message={message} />))
const states = () => shown.files?.items.map(({ name, state }) => `${name} ${state}`)

// Trays outlive their pages, so that each test has messages of its own.
let count = 0
let from: string
let to: string
beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  root = createRoot(document.createElement('div'))
  calls.list = []
  count += 1
  from = `old ${count}`
  to = `new ${count}`
})
afterEach(async () => {
  await act(async () => root.unmount())
  window.localStorage.clear()
  vi.unstubAllGlobals()
})

test('files that were chosen and not sent go along to the message in whose place they are written, and nothing is dropped', async () => {
  keep(from, 1, 2)
  moveAttachments({ userId, message: from }, to)
  await show(to)
  expect(states()).toEqual(['1.log done', '2.log done'])
  expect(shown.files?.body()).toEqual({ attachments: [attachment(1).id, attachment(2).id] })
  expect([keptAt(from), keptAt(to)]).toEqual([[], ['1.log', '2.log']])
  await show(from)
  expect(states()).toEqual([])
  expect(calls.list).toEqual([])
})

test('a file that is under way arrives at the new message', async () => {
  await show(from)
  await act(async () => {
    shown.files?.add([new File(['text'], 'late.log')])
    await vi.waitFor(() => expect(calls.list).toHaveLength(1))
  })
  await act(async () => moveAttachments({ userId, message: from }, to))
  await show(to)
  expect(states()).toEqual(['late.log sending'])
  expect(await act(async () => shown.files?.mayGo())).toBe(false)
  await act(async () => {
    calls.list[0]?.answer?.(attachment(9))
    await vi.waitFor(() => expect(keptAt(to)).toEqual(['9.log']))
  })
  expect(states()).toEqual(['late.log done'])
  expect(keptAt(to)).toEqual(['9.log'])
})

test('a message with files of its own takes as many as it has room for, and says that others were left out', async () => {
  keep(from, 1, 2, 3)
  keep(to, 4, 5, 6)
  moveAttachments({ userId, message: from }, to)
  await show(to)
  expect(states()).toEqual([4, 5, 6, 1, 2].map((at) => `${at}.log done`))
  expect(shown.files?.isFull).toBe(true)
  // The other one stays where it was.
  await show(from)
  expect(states()).toEqual(['3.log done'])
  expect([keptAt(from), keptAt(to)]).toEqual([['3.log'], ['4.log', '5.log', '6.log', '1.log', '2.log']])
})

test('a file that is under way when its message moves to one with files is sent again there, and seen', async () => {
  keep(to, 4)
  await show(from)
  await act(async () => {
    shown.files?.add([new File(['text'], 'late.log')])
    await vi.waitFor(() => expect(calls.list).toHaveLength(1))
  })
  await act(async () => {
    moveAttachments({ userId, message: from }, to)
    await vi.waitFor(() => expect(calls.list).toHaveLength(2))
  })
  expect(states()).toEqual([])
  await show(to)
  expect(states()).toEqual(['4.log done', 'late.log sending'])
  expect(await act(async () => shown.files?.mayGo())).toBe(false)
  await act(async () => {
    calls.list[1]?.answer?.(attachment(9))
    await vi.waitFor(() => expect(keptAt(to)).toEqual(['4.log', '9.log']))
  })
  expect(shown.files?.body()).toEqual({ attachments: [attachment(4).id, attachment(9).id] })
  // The file of the first attempt is dropped.
  await act(async () => {
    calls.list[0]?.answer?.(attachment(8))
    await vi.waitFor(() => expect(calls.list.map(({ method }) => method)).toEqual(['POST', 'POST', 'DELETE']))
  })
})
