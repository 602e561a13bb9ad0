// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it } from 'vitest'
import { onNavigation, tellNavigation } from '../../../../src/lib/navigation/navigation-start.ts'

let heard = 0
let stop = () => {}
beforeEach(() => {
  heard = 0
  window.history.replaceState(null, '', '/services?kind=game#top')
  stop = onNavigation(() => {
    heard += 1
  })
})
afterEach(() => stop())

it.each([
  ['another page', '/servers'],
  ['another query of the same page', '/services?kind=vps'],
  ['the same page without its query', '/services'],
  ['a whole address', `${window.location.origin}/servers`],
  ['a query alone', '?kind=vps'],
])('a navigation to %s is reported', (_name, url) => {
  tellNavigation(url)
  expect(heard).toBe(1)
})

it.each([
  ['the same address', '/services?kind=game'],
  ['another place on the same page', '/services?kind=game#bottom'],
  ['a fragment alone', '#bottom'],
])('a navigation to %s is not reported', (_name, url) => {
  tellNavigation(url)
  expect(heard).toBe(0)
})

it('a listener that has unsubscribed hears no navigation', () => {
  stop()
  tellNavigation('/servers')
  expect(heard).toBe(0)
})
