import { describe, expect, it } from 'vitest'
import { createLeaving, loginPath } from '@/lib/browser-client/leaving.ts'

const page = (end: () => Promise<unknown> = async () => {}) => {
  const asked: string[] = []
  let ends = 0
  const leaving = createLeaving({
    end: () => {
      ends += 1
      return end()
    },
    here: () => '/dashboard/settings?tab=1',
    assign: (path) => asked.push(path),
  })
  return { ...leaving, asked, ends: () => ends }
}

describe('the way out of a page', () => {
  it('is one: the event of the end and refused calls come before the answer of the log-out', async () => {
    let answer = () => {}
    const left = page(() => new Promise<void>((resolve) => (answer = resolve)))
    const first = left.logOut()
    const second = left.logOut()
    left.goToLogin()
    expect(left.asked).toEqual([])
    answer()
    await Promise.all([first, second])
    expect(left.asked).toEqual(['/auth/login'])
    expect(left.ends()).toBe(1)
  })

  it('stays the one that was taken first', async () => {
    const left = page()
    left.goToLogin()
    left.goToLogin()
    await left.logOut()
    expect(left.asked).toEqual(['/auth/login?next=%2Fdashboard%2Fsettings%3Ftab%3D1'])
    expect(left.ends()).toBe(0)
  })

  it('is taken without an answer too', async () => {
    const left = page(() => Promise.reject(new TypeError('Failed to fetch')))
    await left.logOut()
    expect(left.asked).toEqual(['/auth/login'])
  })

  it('is free again for a page that the browser shows again', async () => {
    const left = page()
    await left.logOut()
    left.reset()
    await left.logOut()
    expect(left.ends()).toBe(2)
  })

  it('carries only an own path along', () => {
    expect(loginPath('/a?b=c')).toBe('/auth/login?next=%2Fa%3Fb%3Dc')
    expect(loginPath('//evil.example')).toBe('/auth/login')
    expect(loginPath('https://evil.example')).toBe('/auth/login')
  })
})
