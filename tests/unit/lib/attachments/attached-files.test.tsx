// @vitest-environment happy-dom
import { useEffect, useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AttachButton, AttachedFiles } from '../../../../src/lib/attachments/attached-files.tsx'
import { useAttachments } from '../../../../src/lib/attachments/use-attachments.ts'
import type { Attachments } from '../../../../src/lib/attachments/use-attachments.ts'
import { WORDS } from '../../../support/attachment-words.ts'
import { eventually, shownPage } from '../../../support/shown-page.tsx'
import type { ShownPage } from '../../../support/shown-page.tsx'

/** An upload, which the test answers. */
class Upload {
  static readonly all: Upload[] = []
  readonly upload: { onprogress?: (event: { loaded: number }) => void } = {}
  url = ''
  isAborted = false
  status = 0
  responseText = ''
  onload = () => {}
  onerror = () => {}
  onabort = () => {}
  open(_method: string, url: string) {
    this.url = url
  }
  setRequestHeader() {}
  getAllResponseHeaders() {
    return 'content-type: application/json\r\n'
  }
  send() {
    Upload.all.push(this)
  }
  abort() {
    this.isAborted = true
    this.onabort()
  }
  answer(status: number, body: unknown) {
    Object.assign(this, { status, responseText: JSON.stringify(body) })
    this.onload()
  }
}

const ID = '019a0000-0000-7000-8000-000000000001'

let page: ShownPage
let files: Attachments
/** Shows another message in the same form, as the composer of staff does. */
let turnTo: (message: string) => void
let drawnCount = 0
let messages = 0
beforeEach(() => {
  Upload.all.length = 0
  vi.stubGlobal('XMLHttpRequest', Upload)
  messages += 1
})
afterEach(() => {
  page.close()
  window.localStorage.clear()
  vi.unstubAllGlobals()
})

type FormProps = { message: string; onDrawn: (drawn: Attachments, turn: (message: string) => void) => void }
const Form = ({ message: first, onDrawn }: FormProps) => {
  const [message, setMessage] = useState(first)
  const files = useAttachments({ userId: 'anna', message })
  useEffect(() => onDrawn(files, setMessage))
  return (
    <form>
      <AttachButton files={files} words={WORDS} isBusy={false} className="attach" />
      <AttachedFiles files={files} words={WORDS} isBusy={false} />
    </form>
  )
}
const open = async () => {
  drawnCount = 0
  const keep = (drawn: Attachments, turn: (message: string) => void) => {
    files = drawn
    turnTo = turn
    drawnCount += 1
  }
  page = shownPage(<Form message={`message ${messages}`} onDrawn={keep} />, {
    [`DELETE /api/ticket-attachment/${ID}`]: () => new Response(null, { status: 204 }),
  })
  await eventually(() => expect(drawnCount).toBeGreaterThan(0))
}
const log = (name: string) => new File(['a line'], name)
const row = () => document.querySelector('.att-row')
const attachment = { id: ID, name: 'a.log', kind: 'text', size: 6 }
const upload = async (name: string): Promise<Upload> => {
  const before = Upload.all.length
  files.add([log(name)])
  return eventually(() => {
    const last = Upload.all[before]
    expect(last).toBeDefined()
    return last as Upload
  })
}

test('a file shows its progress, holds the message back until it is there, and goes with it', async () => {
  await open()
  const sending = await upload('a.log')
  expect(sending.url).toBe('/api/ticket-attachment?name=a.log')
  sending.upload.onprogress?.({ loaded: 3 })
  await eventually(() => expect(document.querySelector('progress')?.value).toBe(3))
  expect(document.querySelector('progress')?.getAttribute('aria-label')).toBe('uploading a.log')
  expect(files.mayGo()).toBe(false)
  await page.see('[role=alert]', 'still uploading')
  sending.answer(201, attachment)
  await eventually(() => expect(row()?.getAttribute('data-state')).toBe('done'))
  await page.see('[role=status]', 'uploaded a.log')
  expect([files.mayGo(), files.body(), document.querySelector('[role=alert]')]).toEqual([
    true,
    { attachments: [ID] },
    null,
  ])
  files.sent()
  await eventually(() => expect(row()).toBeNull())
  expect(files.body()).toEqual({})
})

test('a message that could not go says so until its files are there, not for the next file and beside no other message', async () => {
  await open()
  const first = await upload('a.log')
  expect(files.mayGo()).toBe(false)
  await page.see('[role=alert]', 'still uploading')
  first.answer(201, attachment)
  await eventually(() => expect(document.querySelector('[role=alert]')).toBeNull())
  await upload('b.log')
  await eventually(() => expect(files.items.at(-1)?.state).toBe('sending'))
  expect(document.querySelector('[role=alert]')).toBeNull()
  expect(files.mayGo()).toBe(false)
  await page.see('[role=alert]', 'still uploading')
  turnTo('another message')
  await eventually(() => expect(files.items).toEqual([]))
  await upload('c.log')
  await eventually(() => expect(files.items.at(-1)?.state).toBe('sending'))
  expect(document.querySelector('[role=alert]')).toBeNull()
})

test('leaving the site asks while a file is on its way, and no longer', async () => {
  await open()
  const leave = () => {
    const event = new Event('beforeunload', { cancelable: true })
    window.dispatchEvent(event)
    return event.defaultPrevented
  }
  expect(leave()).toBe(false)
  const sending = await upload('a.log')
  await eventually(() => expect(leave()).toBe(true))
  sending.answer(201, attachment)
  await eventually(() => expect(leave()).toBe(false))
})

test('a file that failed says why, and is tried again or removed by buttons that keep the focus', async () => {
  await open()
  const failing = await upload('a.log')
  failing.answer(429, { error: { code: 'RATE_LIMITED', message: 'Wait.' } })
  await page.see('.att-fault', 'refused: RATE_LIMITED')
  await page.see('[role=status]', 'a.log: refused: RATE_LIMITED')
  expect(files.mayGo()).toBe(false)
  await page.see('[role=alert]', 'some failed')
  ;(await page.see('button', 'retry a.log')).click()
  expect(document.activeElement?.getAttribute('aria-label')).toBe('remove a.log')
  await eventually(() => expect(Upload.all).toHaveLength(2))
  Upload.all[1]?.answer(201, attachment)
  await eventually(() => expect(row()?.getAttribute('data-state')).toBe('done'))
  ;(await page.see('button', 'remove a.log')).click()
  await eventually(() => expect(row()).toBeNull())
  expect(document.activeElement?.hasAttribute('data-attach')).toBe(true)
  await eventually(() => expect(page.calls.map(({ name }) => name)).toEqual([`DELETE /api/ticket-attachment/${ID}`]))
})

test('a cancelled upload is ended at once', async () => {
  await open()
  const sending = await upload('a.log')
  ;(await page.see('button', 'cancel a.log')).click()
  await eventually(() => expect([row(), sending.isAborted]).toEqual([null, true]))
})

test('a file that is not sent at all has its own words and cannot be tried again', async () => {
  await open()
  files.add([new File([], 'empty.log')])
  await page.see('.att-fault', 'empty')
  await page.see('button', 'remove empty.log')
  expect([page.find('button', 'retry'), Upload.all]).toEqual([undefined, []])
})

test('the sixth file is left out, and the list says so', async () => {
  await open()
  files.add(['1', '2', '3', '4', '5', '6'].map((name) => log(`${name}.log`)))
  await page.see('[role=alert]', 'full')
  expect([...document.querySelectorAll('.att-cut')].map(({ textContent }) => textContent)).toEqual([
    '1.log',
    '2.log',
    '3.log',
    '4.log',
    '5.log',
  ])
})

test('a file that the site has lost by the time of sending says so, and the message waits', async () => {
  await open()
  ;(await upload('a.log')).answer(201, attachment)
  await eventually(() => expect(row()?.getAttribute('data-state')).toBe('done'))
  expect(files.refused({ text: 'invalid' })).toBe(false)
  expect(files.refused({ attachments: 'invalid' })).toBe(true)
  await page.see('.att-fault', 'gone')
  expect(files.mayGo()).toBe(false)
})

test('uploaded files are there again after a reload, for this message alone', async () => {
  await open()
  ;(await upload('a.log')).answer(201, attachment)
  await eventually(() => expect(Object.values(window.localStorage).join()).toContain('"name":"a.log"'))
  const here = `message ${messages}`
  page.close()
  vi.resetModules()
  const { useAttachments: again } = await import('../../../../src/lib/attachments/use-attachments.ts')
  const Reloaded = ({ message }: { message: string }) => (
    <p id={message}>{again({ userId: 'anna', message }).items.map(({ name }) => name)}</p>
  )
  page = shownPage(
    <>
      <Reloaded message="other" />
      <Reloaded message={here} />
    </>,
    {},
  )
  await page.see('p', 'a.log')
  expect([...document.querySelectorAll('p')].map(({ id, textContent }) => [id, textContent])).toEqual([
    ['other', ''],
    [here, 'a.log'],
  ])
})
