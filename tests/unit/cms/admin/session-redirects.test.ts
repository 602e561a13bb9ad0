import { describe, expect, it } from 'vitest'
import { loginAddress } from '../../../../src/cms/admin/session-redirects.tsx'

const login = (next: string) => `/auth/login?next=${encodeURIComponent(next)}`

describe('the way to the login', () => {
  it.each(['/admin', '/admin/collections/users', '/admin/collections/users?limit=10'])('comes back to %s', (asked) => {
    expect(loginAddress(asked)).toBe(login(asked))
  })

  it.each([
    '//evil.example',
    'https://evil.example',
    '/administrators',
    '/admin/../dashboard',
    '/admin//evil',
    undefined,
    ['/admin/x'],
  ])('comes back to the admin itself for %j', (asked) => {
    expect(loginAddress(asked)).toBe(login('/admin'))
  })
})
