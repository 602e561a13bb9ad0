// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { TicketAttachment } from '../../../../src/contracts/http/desk/ticket-entity.ts'
import { MessageFiles } from '../../../../src/lib/attachments/message-files.tsx'
import { WORDS } from '../../../support/attachment-words.ts'
import { eventually, refused, shownPage } from '../../../support/shown-page.tsx'
import type { Answer, ShownPage } from '../../../support/shown-page.tsx'

const picture: TicketAttachment = { id: 'p1', name: 'shot.png', kind: 'picture', size: 2_048 }
const log: TicketAttachment = { id: 'l1', name: 'latest.log', kind: 'text', size: 10 }
const PICTURE = 'GET /api/ticket/t1/attachments/p1'
const LOG = 'GET /api/ticket/t1/attachments/l1'
const bytesAs = (type: string) => () =>
  new Response(new Blob(['bytes'], { type }), { headers: { 'content-type': type } })

let page: ShownPage
/** Tells what waits for it that its place is near the view. */
let comeNear: (isIntersecting: boolean) => Promise<void>
const clicked: string[] = []
const spies: { mockRestore: () => void }[] = []
beforeEach(() => {
  clicked.length = 0
  const waiting = new Set<IntersectionObserverCallback>()
  comeNear = async (isIntersecting) => {
    await eventually(() => expect(waiting.size).toBe(1))
    for (const tell of waiting) tell([{ isIntersecting } as IntersectionObserverEntry], {} as IntersectionObserver)
  }
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      readonly tell: IntersectionObserverCallback
      constructor(tell: IntersectionObserverCallback) {
        this.tell = tell
      }
      observe() {
        waiting.add(this.tell)
      }
      disconnect() {
        waiting.delete(this.tell)
      }
    },
  )
  spies.push(
    vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:shown'),
    vi.spyOn(URL, 'revokeObjectURL').mockReturnValue(),
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
      clicked.push(`${this.download} ${this.href}`)
    }),
  )
})
afterEach(() => {
  page.close()
  for (const spy of spies.splice(0)) spy.mockRestore()
  vi.unstubAllGlobals()
})

const show = async (files: readonly TicketAttachment[], answers: Record<string, Answer>) => {
  page = shownPage(<MessageFiles ticketId="t1" files={files} words={WORDS} />, answers)
  await eventually(() => expect(document.querySelectorAll('li')).toHaveLength(files.length))
}
const names = () => page.calls.map(({ name }) => name)
const press = (selector: string, init: MouseEventInit = {}) =>
  document.querySelector(selector)?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ...init }))

test('a picture is read once it comes near the view, and opens as itself', async () => {
  await show([picture], { [PICTURE]: bytesAs('image/png') })
  await comeNear(false)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(names()).toEqual([])
  await comeNear(true)
  await eventually(() => expect(document.querySelector('img')?.getAttribute('src')).toBe('blob:shown'))
  expect([names(), document.querySelector('img')?.alt]).toEqual([[PICTURE], 'shot.png'])
  const link = document.querySelector('.att-picture a')
  expect([link?.getAttribute('href'), link?.getAttribute('rel')]).toEqual(['blob:shown', 'noopener noreferrer'])
})

test.each(['text/html', 'image/svg+xml', 'application/octet-stream'])(
  'bytes of the type %s are never shown as a picture, nor linked',
  async (type) => {
    await show([picture], { [PICTURE]: bytesAs(type) })
    await comeNear(true)
    await eventually(() => expect(document.querySelector('.att-unshown')?.textContent).toBe(WORDS.unshown))
    expect([document.querySelector('img'), document.querySelector('.att-picture a')]).toEqual([null, null])
    expect(URL.createObjectURL).not.toHaveBeenCalled()
  },
)

test('a picture that is gone says so, and is read again when asked', async () => {
  let isGone = true
  await show([picture], { [PICTURE]: () => (isGone ? refused('NOT_FOUND') : bytesAs('image/webp')()) })
  await comeNear(true)
  await eventually(() => expect(document.querySelector('.att-unshown')?.textContent).toContain(WORDS.removed))
  isGone = false
  press('.att-again')
  await eventually(() => expect(document.querySelector('img')).not.toBeNull())
  expect(names()).toEqual([PICTURE, PICTURE])
})

test('a picture that is shown no more takes no memory', async () => {
  await show([picture], { [PICTURE]: bytesAs('image/png') })
  await comeNear(true)
  await eventually(() => expect(document.querySelector('img')).not.toBeNull())
  expect(URL.revokeObjectURL).not.toHaveBeenCalled()
  page.close()
  expect(URL.revokeObjectURL).toHaveBeenCalledWith('blob:shown')
  await show([log], {})
})

test('another file is saved under its name by a plain click, and left to the browser by any other', async () => {
  await show([log], { [LOG]: bytesAs('text/plain') })
  expect(document.querySelector('img')).toBeNull()
  const isLeft = [press('.att-save', { ctrlKey: true }), press('.att-save', { button: 1 })]
  // A reader who presses twice saves it once.
  expect([...isLeft, press('.att-save'), press('.att-save')]).toEqual([true, true, false, false])
  await eventually(() => expect(clicked).toEqual(['latest.log blob:shown']))
  expect(names()).toEqual([LOG])
})

test('a file that cannot be saved says why beside its name', async () => {
  await show([log], { [LOG]: () => refused('FORBIDDEN') })
  press('.att-save')
  await eventually(() => expect(document.querySelector('[role=alert]')?.textContent).toBe('refused: FORBIDDEN'))
  expect(clicked).toEqual([])
})
