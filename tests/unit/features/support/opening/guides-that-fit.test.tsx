// @vitest-environment happy-dom
import { useEffect, useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { GuideMatch } from '#contracts/guides/guide-link.ts'
import { GuidesHint, GuidesThatFit } from '../../../../../src/features/support/opening/guides-that-fit.tsx'
import { useGuidesThatFit } from '../../../../../src/features/support/opening/use-guides-that-fit.ts'
import { eventually, held, refused, shownPage } from '../../../../support/shown-page.tsx'
import type { Answer, ShownPage } from '../../../../support/shown-page.tsx'

let page: ShownPage
afterEach(() => {
  page.close()
  vi.unstubAllGlobals()
})

const guide = { slug: 'crashed-server', topic: 'servers', title: 'A server crashes', summary: 'Find out why.' }
const other = { slug: 'top-up', topic: 'balance', title: 'Top up', summary: 'Pay in.' }

type Said = { title: string; message: string }
let typing: ((said: Said) => void) | undefined
const type = (said: Said) => typing?.(said)
const Typing = () => {
  const [said, say] = useState({ title: '', message: '' })
  useEffect(() => {
    typing = say
    return () => {
      typing = undefined
    }
  }, [])
  const guides = useGuidesThatFit(said)
  return (
    <>
      <p id="said">{said.title}</p>
      <GuidesHint guides={guides} listId="list" />
      <GuidesThatFit guides={guides} id="list" />
    </>
  )
}

const opened = async (answer: Answer) => {
  page = shownPage(<Typing />, { 'POST /api/guides/matching': answer })
  // An effect runs later than the page appears, and without it nobody types.
  await eventually(() => expect(typing).toBeDefined())
}
const textOf = (body: unknown) => GuideMatch.parse(body).text
const askedFor = () => page.calls.map(({ body }) => textOf(body))
const links = () => [...document.querySelectorAll('section a')].map((link) => link.getAttribute('href'))
const status = () => document.querySelector('[role=status]')?.textContent

test('nothing is asked before something is typed, and letters in a row are one question', async () => {
  await opened(() => Response.json([guide]))
  for (const title of ['s', 'se', 'ser', 'serv', 'server']) type({ title, message: 'It fell' })
  await eventually(() => expect(links()).toEqual(['/dashboard/guides/servers#crashed-server']))
  expect(askedFor()).toEqual(['It fell server'])
  // An address is kept by proxies, and what somebody types in a ticket is private.
  expect(page.calls.map(({ path }) => path)).toEqual(['/api/guides/matching'])
})

test('a guide opens in a new tab, and the number of guides is said once', async () => {
  await opened(() => Response.json([guide, other]))
  type({ title: 'server', message: '' })
  await eventually(() => expect(status()).toBe('2 guides fit what you typed'))
  for (const link of document.querySelectorAll('section a')) {
    expect(link.getAttribute('target')).toBe('_blank')
    expect(link.textContent).toContain('opens in a new tab')
  }
  expect(document.querySelectorAll('[role=status]')).toHaveLength(1)
})

test('nothing that fits leaves the page quiet, and so does a text that is taken away', async () => {
  await opened(({ body }) => Response.json(textOf(body).includes('server') ? [guide] : []))
  type({ title: 'server', message: '' })
  await eventually(() => expect(links()).toHaveLength(1))
  type({ title: 'weather', message: '' })
  await eventually(() => expect(askedFor()).toContain('weather'))
  await eventually(() => expect([links(), status()]).toEqual([[], '']))
  type({ title: 'server', message: '' })
  await eventually(() => expect(links()).toHaveLength(1))
  type({ title: '', message: '' })
  await eventually(() => expect([links(), status()]).toEqual([[], '']))
})

test('a failed read shows nothing and is not repeated', async () => {
  await opened(() => refused('CONTROL_PLANE_UNAVAILABLE'))
  // Other reads of the site are repeated.
  page.client.setDefaultOptions({ queries: { retry: 3, retryDelay: 0 } })
  type({ title: 'server', message: '' })
  await eventually(() => expect(askedFor()).toEqual(['server']))
  type({ title: 'servers', message: '' })
  await eventually(() => expect(askedFor()).toEqual(['server', 'servers']))
  expect([links(), status(), document.querySelector('[role=alert]')]).toEqual([[], '', null])
})

test('a guide stays while the next text is on its way', async () => {
  const late = held()
  await opened(({ body }) => (textOf(body).includes('again') ? late.response : Response.json([guide])))
  type({ title: 'server', message: '' })
  await eventually(() => expect(links()).toHaveLength(1))
  type({ title: 'server again', message: '' })
  await eventually(() => expect(askedFor()).toContain('server again'))
  expect(links()).toEqual(['/dashboard/guides/servers#crashed-server'])
  late.settle(Response.json([other]))
  await eventually(() => expect(links()).toEqual(['/dashboard/guides/balance#top-up']))
})

test('a long message is asked for by its beginning, with the title last', async () => {
  await opened(() => Response.json([]))
  type({ title: 'end', message: 'x'.repeat(20_000) })
  await eventually(() => expect(askedFor()).toEqual([`${'x'.repeat(400)} end`]))
})
