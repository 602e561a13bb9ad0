import { expect, it } from 'vitest'
import { deliveryReport, endsAddress, isAbout, isAutomatic } from '#domain/mail/received-mail.ts'

it.each([
  [{ name: 'auto-submitted', value: 'auto-replied' }, true],
  [{ name: 'auto-submitted', value: 'no' }, false],
  [{ name: 'precedence', value: ' Bulk ' }, true],
  [{ name: 'precedence', value: 'first-class' }, false],
  [{ name: 'list-id', value: '' }, true],
  [{ name: 'x-autoreply', value: 'yes' }, true],
  [{ name: 'x-loop', value: 'desk@example.test' }, true],
  [{ name: 'return-path', value: '<>' }, true],
  [{ name: 'return-path', value: '<anna@example.test>' }, false],
  [{ name: 'x-mailer', value: 'auto-replied' }, false],
])('a mail with %j is automatic: %s', (header, expected) => {
  expect(isAutomatic([header], 'anna@example.test')).toBe(expected)
})

it('mails of machines are automatic by their sender', () => {
  expect(['mailer-daemon@x.test', 'no-reply@x.test', 'noreplying@x.test'].map((from) => isAutomatic([], from))).toEqual(
    [true, true, false],
  )
})

it('a report names one delivery, or nothing', () => {
  const report = 'Reporting-MTA: dns; x\r\n\r\nAction: failed\r\nStatus: 5.1.1 (no such user)\r\n'
  expect(deliveryReport(report)).toMatchObject({ action: 'failed', status: '5.1.1' })
  expect(deliveryReport(`${report}\r\nAction: failed\r\nStatus: 5.1.1\r\n`)).toBeNull()
  expect(deliveryReport('Action: failed\r\nStatus: gone')).toBeNull()
})

it('an address ends with one that does not exist, not with a full mailbox or a refused text', () => {
  const ends = (status: string, action = 'failed') => endsAddress({ action, status })
  expect([ends('5.1.1'), ends('5.2.1')]).toEqual([true, true])
  const others = [ends('5.2.2'), ends('5.7.1'), ends('4.1.1'), ends('5.1.0'), ends('5.1.1', 'delayed')]
  expect(others).toEqual(Array(5).fill(false))
})

it('a report is about the address that it names in any case, and about any if it names none', () => {
  expect([isAbout(['anna@example.test'], 'Anna@example.test'), isAbout([], 'anna@example.test')]).toEqual([true, true])
  expect(isAbout(['old-work@example.test'], 'anna@example.test')).toBe(false)
})
