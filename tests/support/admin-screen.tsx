import { notifyManager } from '@tanstack/react-query'
import { act, type ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { onTestFinished, vi } from 'vitest'
import { adminQueries } from '../../src/cms/admin/money/admin-queries.ts'

// A response reaches the screen without a timer in between.
notifyManager.setScheduler(queueMicrotask)

export type AskedOf = {
  readonly method: string
  readonly path: string
  readonly key: string | null
  readonly body: unknown
}
/** The site's response: a body with status 200, a response, or none at all. */
export type SiteAnswer = object | Response | undefined | Promise<object | Response | undefined>

export const refusal = (status: number, code: string, message = `${code} in words`): Response =>
  Response.json({ error: { code, message } }, { status })

/**
 * Shows a part of the admin in the test's document. `answer` is the site; its requests are recorded in order. Use it in
 * files with the environment happy-dom that replace Payload's interface with `payload-ui.tsx`.
 */
export async function showAdmin(shown: ReactNode, answer: (asked: AskedOf) => SiteAnswer) {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  const asked: AskedOf[] = []
  vi.stubGlobal('fetch', async (path: string, init: RequestInit = {}) => {
    const { method = 'GET', body } = init
    const key = new Headers(init.headers).get('idempotency-key')
    const each = { method, path, key, body: typeof body === 'string' ? (JSON.parse(body) as unknown) : undefined }
    asked.push(each)
    const given = await answer(each)
    if (given === undefined) throw new TypeError('fetch failed')
    return given instanceof Response ? given.clone() : Response.json(given)
  })
  const place = document.createElement('div')
  document.body.append(place)
  const root: Root = createRoot(place)
  await act(async () => root.render(shown))
  await settled()
  onTestFinished(async () => {
    await act(async () => root.unmount())
    adminQueries.clear()
    place.remove()
    vi.unstubAllGlobals()
  })
  return { asked, show: (next: ReactNode) => act(async () => root.render(next)), posts: () => asked.filter(isPost) }
}

const isPost = ({ method }: AskedOf): boolean => method === 'POST'

/** Lets available responses reach the screen. */
export const settled = () => act(async () => await new Promise<void>((resolve) => setImmediate(resolve)))

const plain = ({ textContent }: Element): string => textContent.replaceAll(/\s/gu, ' ').trim()

export const textOf = (selector: string): string => Array.from(document.querySelectorAll(selector), plain).join(' ')

/** A button by its text or its label. */
export function button(name: string): HTMLButtonElement {
  const all = Array.from(document.querySelectorAll('button'))
  const found = all.findLast((each) => plain(each) === name || each.getAttribute('aria-label') === name)
  if (!found) throw new Error(`No button ${name} among: ${all.map(plain).join(', ')}`)
  return found
}

export async function press(name: string): Promise<void> {
  await act(async () => button(name).click())
  await settled()
}

/** Types into the field with the label, as if pasted. */
export async function type(label: string, text: string): Promise<void> {
  const named = Array.from(document.querySelectorAll('label')).findLast((each) => plain(each) === label)
  const field = document.getElementById(named?.htmlFor ?? '') as HTMLInputElement | HTMLTextAreaElement | null
  if (!field) throw new Error(`No field ${label}`)
  await act(async () => {
    const shape = Object.getPrototypeOf(field) as object
    Object.getOwnPropertyDescriptor(shape, 'value')?.set?.call(field, text)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  })
}

/** Chooses in the first list of the screen. */
export async function choose(value: string): Promise<void> {
  const select = document.querySelector('select')
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value')?.set?.call(select, value)
    select?.dispatchEvent(new Event('change', { bubbles: true }))
  })
  await settled()
}

/** Advances the time of vitest's timers. */
export async function wait(ms: number): Promise<void> {
  await act(async () => await vi.advanceTimersByTimeAsync(ms))
  await settled()
}

export const queryOf = (path: string): Record<string, string> =>
  Object.fromEntries(new URL(path, 'http://site.test').searchParams)
