import type { FieldHook, PayloadRequest } from 'payload'
import { describe, expect, test } from 'vitest'
import { words } from '../../../../src/cms/fields/languages.ts'
import { secretField } from '../../../../src/cms/fields/secret-field.ts'

const field = secretField('password', words('Password', 'Jelszó', 'Passwort'))

type HookArgs = Parameters<FieldHook>[0]
/** A reader's view of the stored form, after all hooks of the field. */
const shown = async (overrideAccess: boolean | undefined): Promise<unknown> => {
  let value: unknown = 'sealed:1:AAAA'
  for (const hook of field.hooks?.afterRead ?? []) value = await hook({ value, overrideAccess } as HookArgs)
  return value
}

describe('a secret that staff enter', () => {
  test.each([
    ['anybody who reads over HTTP, an administrator too', false],
    ['a reader of whom nothing is said', undefined],
  ])('is withheld from %s', async (_who, overrideAccess) => {
    expect(await shown(overrideAccess)).toBeNull()
  })

  test('is seen sealed by our own reads, so that an update knows what to keep', async () => {
    expect(await shown(true)).toBe('sealed:1:AAAA')
  })

  test.each(['read', 'create', 'update'] as const)('asks for an administrator: %s', (operation) => {
    const rule = field.access?.[operation]
    const asked = (grants?: object) =>
      rule?.({ req: { user: grants ? { grants } : null } as unknown as PayloadRequest })
    expect([asked(), asked({ isAdmin: false, isSupport: true }), asked({ isAdmin: true, isSupport: false })]).toEqual([
      false,
      false,
      true,
    ])
  })
})
