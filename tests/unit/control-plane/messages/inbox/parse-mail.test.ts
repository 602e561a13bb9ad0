import { describe, expect, it } from 'vitest'
import { parseMail } from '../../../../../control-plane/messages/inbox/parse-mail.ts'
import { bounceReport, letter, letterWithFiles } from '../../../../factories/letters.ts'

describe('the sender of a mail', () => {
  it.each([
    ['anna@example.test', 'anna@example.test'],
    ['"Anna, the customer" <ANNA@Example.test>', 'anna@example.test'],
    ['"eve@evil.example" <anna@example.test>', 'anna@example.test'],
  ])('%s is %s', async (from, sender) => {
    expect((await parseMail(letter({ from })))?.sender).toBe(sender)
  })

  it.each([
    ['two people', 'anna@example.test, eve@evil.example'],
    ['a group', 'Friends: anna@example.test, eve@evil.example;'],
    ['nobody', 'Anna'],
    ['an odd address', '"anna eve"@example.test'],
    ['two lines From', 'anna@example.test\r\nFrom: eve@evil.example'],
    ['letters beyond ASCII', 'ännа@example.test'],
    ['a line without end', `${'a'.repeat(2_000)}@example.test`],
  ])('%s in From are no sender', async (_what, from) => {
    expect((await parseMail(letter({ from })))?.sender).toBeNull()
  })
})

describe('the text of a mail', () => {
  it('is read in the character set that the mail names', async () => {
    const headers = ['Content-Type: text/plain; charset=iso-8859-2', 'Content-Transfer-Encoding: quoted-printable']
    const parsed = await parseMail(letter({ headers, body: '=C1rv=EDzt=FBr=F5' }))
    expect(parsed?.text.trim()).toBe('Árvíztűrő')
  })

  it('HTML is read where there is no plain text, without what it would run or load', async () => {
    const body = '<p>Hello<br>there</p><script>alert(1)</script><img src="https://evil.example/x.png" alt="">'
    const parsed = await parseMail(letter({ headers: ['Content-Type: text/html; charset=utf-8'], body }))
    expect(parsed?.text.trim()).toBe('Hello\nthere')
  })

  it('PostgreSQL can store it: no NUL, no halves of characters, and a bound', async () => {
    expect((await parseMail(letter({ body: 'a\0b' })))?.text.trim()).toBe('ab')
    const long = await parseMail(letter({ body: `${'a'.repeat(399_999)}😀` }))
    expect([long?.text.length, long?.text.isWellFormed()]).toEqual([400_000, true])
  })
})

describe('the Message-ID of a mail', () => {
  it.each([
    ['<a.b+c@example.test>', '<a.b+c@example.test>'],
    ['<a b@example.test>', null],
    ['<a@example.test> <b@example.test>', null],
    [`<${'a'.repeat(300)}@example.test>`, null],
    [null, null],
  ])('%j is %j', async (messageId, id) => {
    expect((await parseMail(letter({ messageId })))?.messageId).toBe(id)
  })
})

describe('the files of a mail', () => {
  it('they are bytes, signatures are none of them', async () => {
    const bytes = Buffer.from([0, 1, 2, 255])
    const parsed = await parseMail(
      letterWithFiles([
        { type: 'application/octet-stream', name: 'world.bin', bytes },
        { type: 'application/pgp-signature', name: 'signature.asc', bytes: 'x' },
        { type: 'message/rfc822', name: 'other.eml', bytes: letter({ from: 'eve@evil.example' }) },
      ]),
    )
    expect(parsed?.files.map(({ name }) => name)).toEqual(['world.bin', 'other.eml'])
    expect(Buffer.from(parsed?.files[0]?.bytes ?? [])).toEqual(bytes)
    // A mail inside a mail is a file: nothing of it counts as the mail’s own.
    expect(parsed?.sender).toBe('anna@example.test')
  })
})

describe('a report of a mail server', () => {
  it('is read from its own part', async () => {
    const report = (await parseMail(bounceReport('tickets@host.example')))?.report
    expect(report).toEqual({ action: 'failed', status: '5.1.1', recipients: ['gone@example.test'] })
  })

  it('the same words in an ordinary mail are none', async () => {
    const body = 'Final-Recipient: rfc822; gone@example.test\nAction: failed\nStatus: 5.1.1'
    expect((await parseMail(letter({ body })))?.report).toBeNull()
  })
})

describe('a mail whose form is not honest', () => {
  const parts = (count: number) => `${'--b\r\n\r\n\r\n'.repeat(count)}--b--`
  const multipart = ['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary="b"']

  it('four thousand parts are too many', async () => {
    expect(await parseMail(letter({ headers: multipart, body: parts(4_001) }))).toBeNull()
    expect(await parseMail(letter({ headers: multipart, body: parts(100) }))).not.toBeNull()
  })

  it('a hundred thousand short lines are too many, and a file of many more full lines is not', async () => {
    expect(await parseMail(letter({ body: 'a\n'.repeat(100_001) }))).toBeNull()
    expect(await parseMail(letter({ body: '\n'.repeat(100_001) }))).toBeNull()
    // Lines as people write them.
    expect(await parseMail(letter({ body: `${'a'.repeat(50)}\n`.repeat(100_001) }))).toBeNull()
    expect((await parseMail(letter({ body: 'a\n'.repeat(20_000) })))?.text.trim()).toHaveLength(39_999)
    const bytes = Buffer.alloc(8 * 1_048_576, 1)
    const parsed = await parseMail(letterWithFiles([{ type: 'application/zip', name: 'world.zip', bytes }]))
    expect(parsed?.files.map((file) => file.bytes.length)).toEqual([bytes.length])
  })

  it('headers without end are refused', async () => {
    const headers = Array.from({ length: 300 }, (_, at) => `X-Line-${at}: ${'a'.repeat(1_000)}`)
    expect(await parseMail(letter({ headers }))).toBeNull()
  })
})
