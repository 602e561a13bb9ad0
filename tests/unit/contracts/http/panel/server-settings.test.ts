import { describe, expect, it } from 'vitest'
import { IdentityChange, OperationChange } from '#contracts/http/panel/server-settings.ts'

const seen = { name: 'Old', description: '' }
const described = (description: string) => IdentityChange.safeParse({ name: 'New', description, seen })

describe('a description', () => {
  it.each([
    ['lines', 'One\nTwo'],
    ['accents and emoji', 'Árvíztűrő 👨‍👩‍👧 🎮'],
    ['500 characters', 'x'.repeat(500)],
    ['nothing', ''],
  ])('of %s is kept', (_name, text) => {
    expect(described(text).data?.description).toBe(text)
  })

  it.each([
    ['an override of the reading direction', 'safe \u202etxt.exe'],
    ['a control character', 'bell \u0007'],
    ['a carriage return', 'a\rb'],
    ['501 characters', 'x'.repeat(501)],
  ])('with %s is refused', (_name, text) => {
    expect(described(text).success).toBe(false)
  })
})

const before = { timeZone: null, autoStart: true, stopTimeoutS: 30 }
const operated = (change: object) => OperationChange.safeParse({ ...before, ...change, seen: before })

it('a time zone is written as the platform knows it, and an unknown one is refused', () => {
  expect(operated({ timeZone: 'europe/budapest' }).data?.timeZone).toBe('Europe/Budapest')
  expect(operated({ timeZone: null }).data?.timeZone).toBeNull()
  for (const timeZone of ['Europe/Atlantis', '+02:00', '../../etc/passwd', '', `Europe/${'x'.repeat(80)}`]) {
    expect(operated({ timeZone }).success).toBe(false)
  }
})

it('a stop waits 10 to 300 seconds', () => {
  for (const stopTimeoutS of [10, 300]) expect(operated({ stopTimeoutS }).success).toBe(true)
  for (const stopTimeoutS of [9, 301, 30.5, -1, Number.NaN]) expect(operated({ stopTimeoutS }).success).toBe(false)
})
