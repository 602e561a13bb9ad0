import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { NextIntlClientProvider } from 'next-intl'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, vi } from 'vitest'
import { ERROR_STATUS } from '#contracts/http/errors.ts'
import type { ErrorCode } from '#contracts/http/errors.ts'
import english from '../../src/messages/en.json' with { type: 'json' }

type Call = { readonly path: string; readonly body: unknown; readonly key: string | null }
/** The API's response to one call of a page; a promise delays it. */
export type Answer = (call: Call) => Response | Promise<Response>

export const refused = (code: ErrorCode, params: Record<string, string | number> = {}): Response =>
  Response.json({ error: { code, message: `The words of ${code}.`, params } }, { status: ERROR_STATUS[code] })

/** Waits for an automatic change of a page; a busy machine is slow. */
export const eventually = <Result,>(check: () => Result) => vi.waitFor(check, { timeout: 15_000 })

/** A call that waits until the test answers it. */
export const held = () => {
  let settle: (response: Response) => void = () => {}
  const response = new Promise<Response>((resolve) => {
    settle = resolve
  })
  return { response, settle }
}

/** Parts of the site's pages in a document, in English, with an API that the test answers by method and path. */
export const shownPage = (content: ReactNode, answers: Record<string, Answer>) => {
  const calls: (Call & { readonly name: string })[] = []
  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    const path = address.split('?', 1)[0] ?? address
    const name = `${init.method ?? 'GET'} ${path}`
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined
    const call = { path: address, body, key: new Headers(init.headers).get('idempotency-key') }
    calls.push({ ...call, name })
    return answers[name]?.(call) ?? refused('NOT_FOUND')
  })
  const place = document.createElement('div')
  document.body.append(place)
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const root = createRoot(place)
  root.render(
    <QueryClientProvider client={client}>
      <NextIntlClientProvider locale="en" messages={english} timeZone="Europe/Budapest">
        {content}
      </NextIntlClientProvider>
    </QueryClientProvider>,
  )
  const find = <Found extends Element>(selector: string, text: string | RegExp = '') => {
    const found = [...document.querySelectorAll<Found & HTMLElement>(selector)].find((each) => {
      const words = `${each.textContent} ${each.getAttribute('aria-label') ?? ''}`.replaceAll(/\s+/gu, ' ')
      return typeof text === 'string' ? words.includes(text) : text.test(words.trim())
    })
    return found
  }
  return {
    client,
    calls,
    find,
    /** Waits until such an element exists. */
    see: <Found extends Element = HTMLElement>(selector: string, text: string | RegExp = '') =>
      eventually(() => {
        const found = find<Found>(selector, text)
        expect(found, `${selector} with ${String(text)} in: ${document.body.textContent}`).toBeDefined()
        return found as Found & HTMLElement
      }),
    /** Types like a person. */
    type: (field: HTMLInputElement, text: string) => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text)
      field.dispatchEvent(new Event('input', { bubbles: true }))
    },
    text: () => document.body.textContent.replaceAll(/\s+/gu, ' '),
    close: () => {
      root.unmount()
      place.remove()
      client.clear()
    },
  }
}
export type ShownPage = ReturnType<typeof shownPage>
