import { describe, expect, it } from 'vitest'
import { codeOf } from '../../../../../../../control-plane/money/payments/providers/phone/phone-message.ts'
import {
  isSigned,
  signatureOf,
} from '../../../../../../../control-plane/money/payments/providers/phone/phone-signature.ts'

const now = Date.UTC(2026, 5, 1)
const seconds = (atMs = now) => String(Math.floor(atMs / 1000))
const [old, young] = ['the old secret', 'the young secret']
const body = '{"a":1}'
const by = (secret: string, atMs = now) => `v1=${signatureOf(secret, seconds(atMs), body)}`
const signed = (header: string | undefined, secrets = [old, young], text = body) =>
  isSigned({ header, body: text }, secrets, now)

describe('signature of the phone', () => {
  it('T11: counts by any of its secrets while one is exchanged', () => {
    expect(signed(`t=${seconds()},${by(old)}`)).toBe(true)
    expect(signed(`t=${seconds()},${by(young)}`)).toBe(true)
    expect(signed(`t=${seconds()},${by('nobody')},${by(young)}`, [young])).toBe(true)
    expect(signed(`t=${seconds()}, ${by(old)}, ${by('nobody')}`, [old])).toBe(true)
  })

  it.each([300_000, -300_000])('T11: is young enough at %i ms', (ageMs) => {
    expect(signed(`t=${seconds(now - ageMs)},${by(old, now - ageMs)}`)).toBe(true)
  })

  it.each([
    ['older than 300 s', `t=${seconds(now - 301_000)},${by(old, now - 301_000)}`],
    ['from later than 300 s', `t=${seconds(now + 301_000)},${by(old, now + 301_000)}`],
    ['an old signature under a new time', `t=${seconds()},${by(old, now - 301_000)}`],
    ['two times', `t=${seconds()},t=${seconds()},${by(old)}`],
    ['no time', by(old)],
    ['no signature', `t=${seconds()}`],
    ['an empty one', `t=${seconds()},v1=`],
    ['another version', `t=${seconds()},${by(old).replace('v1', 'v0')}`],
    ['a time in words', `t=now,${by(old)}`],
    ['a list without end', [`t=${seconds()}`, ...Array.from({ length: 50 }, () => by('nobody')), by(old)].join(',')],
    ['nothing', ''],
    ['no header', undefined],
  ])('T11, T17: refuses %s', (_name, header) => {
    expect(signed(header)).toBe(false)
  })

  it('T11: refuses another body, and every secret but its own', () => {
    expect(signed(`t=${seconds()},${by(old)}`, [old], `${body} `)).toBe(false)
    expect(signed(`t=${seconds()},${by(old)}`, [young])).toBe(false)
    expect(signed(`t=${seconds()},${by('')}`, [])).toBe(false)
  })
})

describe('code of a message', () => {
  it.each([
    ['BAKTER ACDEFGHJ', 'acdefghj'],
    ['  bakter   acde fghj ', 'acdefghj'],
    ['acdefghj', 'acdefghj'],
    ['BAKTER acdefgh', undefined],
    ['OTHER acdefghj', undefined],
    ['BAKTER acdefghjk', undefined],
    ['', undefined],
  ])('is read as phones write it: %j', (text, code) => {
    expect(codeOf({ kind: 'premium-sms', text }, 'BAKTER')).toBe(code)
  })

  it('is typed alone in a call', () => {
    expect(codeOf({ kind: 'premium-call', text: '12345678' }, 'BAKTER')).toBe('12345678')
  })
})
