import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createLogger } from '#platform/logger.ts'
import { contentOf } from '../../../../../control-plane/messages/inbox/mail-content.ts'
import { findMailParser, MailParser, ParserClosed } from '../../../../../control-plane/messages/inbox/mail-parser.ts'
import { letter, letterWithFiles } from '../../../../factories/letters.ts'
import { StandingPlace, toldMailParser } from '../../../../support/told-mail-parser.ts'

let parser: MailParser
let place: StandingPlace
beforeEach(() => {
  parser = toldMailParser()
  place = new StandingPlace()
})
afterEach(async () => {
  vi.useRealTimers()
  await parser.close()
  place.remove()
})

const told = (words: string) => parser.read(letter({ body: words }))
const textOf = async (words: string) => (await told(words)).parsed?.text.trim()

it('a mail says in a thread the same as here, with its files byte for byte, and keeps its own bytes', async () => {
  const own = new MailParser({ program: findMailParser(), log: createLogger('test', 'silent') })
  const files = [
    { type: 'image/png', name: 'a.png', bytes: Buffer.from([0, 1, 2, 255]) },
    { type: 'text/plain', name: 'b.log', bytes: 'It stops' },
    { type: 'text/plain', name: 'c.log', bytes: '' },
  ]
  const source = letterWithFiles(files, { body: 'Árvíztűrő\n\nOn Fri, 20 Nov 2026 at 19:00, Host wrote:\n> Hello' })
  const before = Buffer.from(source)
  const content = await own.read(source)
  expect(content).toEqual(await contentOf(source))
  expect(content.body).toMatchObject({ text: 'Árvíztűrő', quoted: expect.stringContaining('> Hello') })
  expect(content.parsed?.files.map(({ bytes }) => Buffer.from(bytes).toString('latin1'))).toEqual([
    '\0\u0001\u0002ÿ',
    'It stops',
    '',
  ])
  expect(source.equals(before)).toBe(true)
  await own.close()
})

it('mails are read one after the other, each with its own answer', async () => {
  const first = textOf(place.words)
  const others = [textOf('second'), textOf('third')]
  await place.reached()
  place.goOn()
  expect(await Promise.all([first, ...others])).toEqual([place.words, 'second', 'third'])
})

it('this thread goes on while a mail is parsed', async () => {
  const reading = textOf(place.words)
  await place.reached()
  // Only this thread lets the other one go on.
  place.goOn()
  expect(await reading).toBe(place.words)
})

it('a mail that takes too long is unreadable, and the next one is read by a new thread', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const late = told(place.words)
  while (!place.isReached) await new Promise((resolve) => setImmediate(resolve))
  vi.advanceTimersByTime(60_000)
  vi.useRealTimers()
  expect(await late).toMatchObject({ parsed: null, body: { text: '', quoted: '' } })
  expect(await textOf('next')).toBe('next')
})

it('a mail that takes too much memory is unreadable, and the next one is read', async () => {
  expect((await told('please fill the memory')).parsed).toBeNull()
  expect(await textOf('next')).toBe('next')
})

it.each(['please die', 'please throw'])(
  'a mail at which the thread gave up (%s) was not read, and the next one is',
  async (words) => {
    await expect(told(words)).rejects.toThrow('A mail was not parsed')
    expect(await textOf('next')).toBe('next')
  },
)

it('a thread that does not start reads nothing, and says so', async () => {
  const missing = new MailParser({
    program: new URL('no-such-parser.mjs', import.meta.url),
    log: createLogger('test', 'silent'),
  })
  await expect(missing.read(letter())).rejects.toThrow('does not start')
  await missing.close()
})

it('closing ends a thread that stands still; what it and later ones were to read was not read', async () => {
  const outcomes = Promise.allSettled([told(place.words), told('second')])
  await place.reached()
  await parser.close()
  const reasons = (await outcomes).map((each) => (each.status === 'rejected' ? each.reason : each.value))
  expect(reasons).toEqual([expect.any(ParserClosed), expect.any(ParserClosed)])
  await expect(told('third')).rejects.toThrow(ParserClosed)
})
