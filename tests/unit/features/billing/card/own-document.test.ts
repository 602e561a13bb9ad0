// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { leaveByLoading, takeReturn } from '@/features/billing/card/own-document.ts'

const assign = vi.fn<(address: string | URL) => void>()
beforeEach(() => {
  window.history.replaceState(null, '', '/hu/dashboard/balance/card?transaction=t1')
  vi.spyOn(window.location, 'assign').mockImplementation(assign)
})
afterEach(() => {
  assign.mockReset()
  document.body.replaceChildren()
})

describe('coming back from the bank', () => {
  test('takes the secret out of the address and keeps the payment', () => {
    const back = 'transaction=t1&payment_intent=pi_1&payment_intent_client_secret=pi_1_secret_x&redirect_status=failed'
    window.history.replaceState(null, '', `/hu/dashboard/balance/card?${back}`)
    expect(takeReturn()).toEqual({ transaction: 't1', hasFailed: true })
    expect(window.location.search).toBe('?transaction=t1')
    expect(takeReturn()).toEqual({ transaction: 't1', hasFailed: false })
  })
})

describe('leaving the card page', () => {
  /** Whether the page took the click from the browser, which follows no link in this test. */
  const press = (html: string, init: MouseEventInit = {}): boolean => {
    document.body.innerHTML = html
    let isLeft = false
    const seen = (event: Event) => {
      isLeft = !event.defaultPrevented
      event.preventDefault()
    }
    const pressed = document.querySelector('b')
    pressed?.addEventListener('click', seen)
    pressed?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ...init }))
    return !isLeft
  }

  test('loads the next page anew, so that the script and the wider policy end', () => {
    const end = leaveByLoading()
    expect(press('<a href="/dashboard/summary"><b>x</b></a>')).toBe(true)
    expect(assign).toHaveBeenCalledWith(expect.stringContaining('/dashboard/summary'))
    end()
    expect(press('<a href="/dashboard/summary"><b>x</b></a>')).toBe(false)
  })

  test.each([
    ['<a href="https://other.test/"><b>x</b></a>', {}],
    ['<a href="/dashboard/summary" target="_blank"><b>x</b></a>', {}],
    ['<a href="/dashboard/summary"><b>x</b></a>', { ctrlKey: true }],
    ['<a href="/dashboard/balance/card#top"><b>x</b></a>', {}],
    ['<button><b>x</b></button>', {}],
  ])('leaves %s %j to the browser', (html, init) => {
    const end = leaveByLoading()
    expect(press(html, init)).toBe(false)
    expect(assign).not.toHaveBeenCalled()
    end()
  })
})
