import { expect, test } from 'vitest'
import type { TicketAttachment } from '../../../../src/contracts/http/desk/ticket-entity.ts'
import { AttachmentTray, canRetry, obstacleIn, uploadedIn } from '../../../../src/lib/attachments/attachment-tray.ts'
import type { TrayDeps } from '../../../../src/lib/attachments/attachment-tray.ts'
import { ApiFailure } from '../../../../src/lib/browser-client/failure.ts'

type Sent = Parameters<TrayDeps['send']>[1] & {
  readonly file: File
  readonly answer: (attachment: TicketAttachment) => void
  readonly fail: (failure: unknown) => void
}

const attachment = (id: string, name = id): TicketAttachment => ({ id, name, kind: 'text', size: 4 })
const file = (name: string) => new File(['text'], name)
const failure = (status: number, code: ApiFailure['code']) => new ApiFailure({ code, status, message: code })
const settled = () => new Promise((resolve) => setImmediate(resolve))

const open = (uploaded: readonly TicketAttachment[] = []) => {
  const sent: Sent[] = []
  const dropped: string[] = []
  let keys = 0
  const tray = new AttachmentTray(
    {
      judge: async ({ name }) => (name.endsWith('.exe') ? { fault: 'kind' } : { kind: 'text' }),
      send: (each, about) =>
        new Promise((answer, fail) => {
          about.signal.addEventListener('abort', () => fail(new DOMException('', 'AbortError')))
          sent.push({ ...about, file: each, answer, fail })
        }),
      drop: (id) => {
        dropped.push(id)
        return Promise.reject(failure(404, 'NOT_FOUND'))
      },
      newKey: () => `key ${(keys += 1)}`,
      changed: () => {},
    },
    uploaded,
  )
  return { tray, sent, dropped, states: () => tray.list.map(({ name, state }) => `${name} ${state}`) }
}

test('a file is judged, sent and uploaded; the message waits until then', async () => {
  const { tray, sent, states } = open()
  tray.add([file('a.log')])
  expect([states(), obstacleIn(tray.list)]).toEqual([['a.log waiting'], 'uploading'])
  await settled()
  sent[0]?.onSent(3)
  expect(tray.list[0]).toMatchObject({ state: 'sending', sent: 3, size: 4, kind: 'text' })
  // A browser counts more than the file's own bytes in some requests.
  sent[0]?.onSent(9)
  expect(tray.list[0]).toMatchObject({ sent: 4 })
  sent[0]?.answer(attachment('1'))
  await settled()
  expect([states(), obstacleIn(tray.list), uploadedIn(tray.list)]).toEqual([['a.log done'], null, [attachment('1')]])
})

test('files that were uploaded before the page was loaded come first, and cannot be sent again', () => {
  const { tray } = open([attachment('1', 'old.log')])
  expect(tray.list).toMatchObject([{ name: 'old.log', state: 'done', file: null }])
  tray.lose()
  expect(tray.list.map(canRetry)).toEqual([false])
})

test('a refused file is never sent and stops the message until it is taken away', async () => {
  const { tray, sent, states } = open()
  tray.add([file('virus.exe')])
  await settled()
  expect([states(), obstacleIn(tray.list), sent, tray.list.map(canRetry)]).toEqual([
    ['virus.exe refused'],
    'failed',
    [],
    [false],
  ])
  tray.remove(tray.list[0]?.id ?? 0)
  expect(obstacleIn(tray.list)).toBe(null)
})

test('a message has room for five, and says that others were left out', async () => {
  const { tray, sent } = open([attachment('1')])
  tray.add(['a', 'b', 'c', 'd', 'e'].map(file))
  expect([tray.list.map(({ name }) => name), tray.isFull]).toEqual([['1', 'a', 'b', 'c', 'd'], true])
  await settled()
  expect(sent).toHaveLength(4)
  tray.remove(tray.list[1]?.id ?? 0)
  expect(tray.isFull).toBe(false)
  tray.add([file('f')])
  expect([tray.list.at(-1)?.name, tray.isFull]).toEqual(['f', false])
})

test('a refused file takes no place of one that can be sent', async () => {
  const { tray, states } = open()
  tray.add([file('virus.exe')])
  await settled()
  tray.add(['a', 'b', 'c', 'd', 'e'].map(file))
  await settled()
  expect([states().length, states().at(-1), tray.isFull]).toEqual([6, 'e sending', false])
})

test('after a lost answer the same file is the same attempt; after a refusal it is another', async () => {
  const { tray, sent } = open()
  tray.add([file('a.log')])
  await settled()
  const [id = 0] = tray.list.map((item) => item.id)
  for (const lost of [
    failure(0, 'OFFLINE'),
    failure(503, 'ATTACHMENT_NOT_SCANNED'),
    failure(409, 'ATTACHMENT_LIMIT'),
  ]) {
    sent.at(-1)?.fail(lost)
    await settled()
    expect(tray.list.map(canRetry)).toEqual([true])
    tray.retry(id)
    await settled()
  }
  expect(sent.map(({ key }) => key)).toEqual(['key 1', 'key 1', 'key 1', 'key 2'])
})

test.each([
  [413, 'PAYLOAD_TOO_LARGE'],
  [422, 'ATTACHMENT_REFUSED'],
  [422, 'ATTACHMENT_INFECTED'],
] as const)('a file that the site refused with %i for good is not sent again', async (status, code) => {
  const { tray, sent } = open()
  tray.add([file('a.log')])
  await settled()
  sent[0]?.fail(failure(status, code))
  await settled()
  expect(tray.list.map(canRetry)).toEqual([false])
  tray.retry(tray.list[0]?.id ?? 0)
  await settled()
  expect(sent).toHaveLength(1)
})

test('an uploaded file that is taken away goes at the site, one under way is stopped', async () => {
  const { tray, sent, dropped } = open([attachment('1')])
  tray.add([file('a.log')])
  await settled()
  for (const { id } of tray.list) tray.remove(id)
  await settled()
  expect([dropped, sent[0]?.signal.aborted, tray.list]).toEqual([['1'], true, []])
})

test('a file whose bytes are all on their way is dropped once the site has answered', async () => {
  const { tray, sent, dropped } = open()
  tray.add([file('a.log')])
  await settled()
  sent[0]?.onSent(4)
  tray.remove(tray.list[0]?.id ?? 0)
  expect(sent[0]?.signal.aborted).toBe(false)
  sent[0]?.answer(attachment('1'))
  await settled()
  expect([dropped, tray.list]).toEqual([['1'], []])
})

test('a file that is taken away before it is judged is not sent', async () => {
  const { tray, sent } = open()
  tray.add([file('a.log')])
  tray.remove(tray.list[0]?.id ?? 0)
  await settled()
  expect(sent).toEqual([])
})

test('files that the site no longer has are all sent again, and none of them stays there half', async () => {
  const { tray, sent, dropped } = open([attachment('1')])
  tray.add([file('a.log')])
  await settled()
  sent[0]?.answer(attachment('2'))
  await settled()
  tray.lose()
  expect([tray.list.map(({ state }) => state), dropped, obstacleIn(tray.list)]).toEqual([
    ['gone', 'gone'],
    ['1', '2'],
    'failed',
  ])
  expect(tray.list.map(canRetry)).toEqual([false, true])
})
