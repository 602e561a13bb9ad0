// @vitest-environment happy-dom
import { useEffect } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { askToLeave, useLeaveGuard } from '@/ui/screen/leave-guard.ts'
import { eventually, shownPage, type ShownPage } from '../../../support/shown-page.tsx'

const onGo = vi.fn<(place: string) => void>()

const Held = () => {
  const { hold, asked, stay, leave } = useLeaveGuard()
  useEffect(() => {
    hold(() => 'typed text')
    return () => hold(null)
  }, [hold])
  const link = (href: string) => (
    <a href={href} onClick={(event) => (event.preventDefault(), onGo(href))}>
      {href}
    </a>
  )
  return (
    <>
      {link('#content')}
      {link('/panel/s1/edit/a.txt?line=2#x')}
      {link('/panel/s1/edit/a.txt')}
      {link('/panel/s1/console')}
      <p>{asked ?? 'nothing asked'}</p>
      <button onClick={stay}>stay</button>
      <button onClick={leave}>leave</button>
    </>
  )
}

let page: ShownPage
const follow = async (href: string) => (await page.see<HTMLAnchorElement>(`a[href="${href}"]`)).click()
const press = async (text: string) => (await page.see('button', text)).click()

beforeEach(async () => {
  onGo.mockClear()
  window.history.replaceState(null, '', '/panel/s1/edit/a.txt?line=2')
  page = shownPage(<Held />, {})
  // Once it is held.
  await eventually(() => expect(window.dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(false))
})
afterEach(() => page.close())

it('a link to a place on the page itself leaves nothing, so nothing is asked', async () => {
  await follow('#content')
  await follow('/panel/s1/edit/a.txt?line=2#x')
  expect(onGo.mock.calls).toEqual([['#content'], ['/panel/s1/edit/a.txt?line=2#x']])
  expect(page.text()).toContain('nothing asked')
  await follow('/panel/s1/edit/a.txt')
  await page.see('p', 'typed text')
  expect(onGo).toHaveBeenCalledTimes(2)
})

it('a way out without a link asks the page that is held, and no other one', async () => {
  askToLeave(() => onGo('a hit of the search'))
  await page.see('p', 'typed text')
  expect(onGo).not.toHaveBeenCalled()
  await press('leave')
  await eventually(() => expect(onGo.mock.calls).toEqual([['a hit of the search']]))
  page.close()
  askToLeave(() => onGo('another'))
  expect(onGo).toHaveBeenCalledTimes(2)
})

it('somebody who was let go and has not left is asked again', async () => {
  await follow('/panel/s1/console')
  await page.see('p', 'typed text')
  await press('leave')
  await eventually(() => expect(onGo).toHaveBeenCalledTimes(1))
  await page.see('p', 'nothing asked')
  askToLeave(() => onGo('still let go'))
  expect(onGo).toHaveBeenCalledTimes(2)
  window.dispatchEvent(new Event('keydown'))
  await eventually(() => expect(window.dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(false))
  askToLeave(() => onGo('held again'))
  await page.see('p', 'typed text')
  expect(onGo).toHaveBeenCalledTimes(2)
})
