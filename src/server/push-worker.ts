import type { IncomingMessage, ServerResponse } from 'node:http'

/** The address of the service worker for pushes. Browsers register it by this address. */
export const PUSH_WORKER_PATH = '/push-worker.js'

/**
 * The worker that shows pushes and opens their page. It handles nothing else: no page request passes through it and
 * nothing is stored, so that nobody's data stay in a browser after them. It opens only pages of this site, whatever a
 * push names.
 */
export const PUSH_WORKER = `'use strict'
self.addEventListener('install', () => self.skipWaiting())

const home = '/dashboard/summary'
const pageOf = (path) => {
  if (typeof path !== 'string' || !path.startsWith('/')) return new URL(home, self.location.origin).href
  const address = new URL(path, self.location.origin)
  return address.origin === self.location.origin ? address.href : new URL(home, self.location.origin).href
}
const textOf = (value) => (typeof value === 'string' ? value : '')

self.addEventListener('push', (event) => {
  let said = {}
  try {
    said = event.data.json() || {}
  } catch {
    // Browsers demand that each push shows something.
  }
  event.waitUntil(
    self.registration.showNotification(textOf(said.title) || self.location.hostname, {
      body: textOf(said.body),
      tag: textOf(said.tag),
      lang: textOf(said.lang),
      data: { page: pageOf(said.path) },
    }),
  )
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const page = pageOf(new URL(event.notification.data.page).pathname)
  const show = async () => {
    const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
    const open = pages.find((client) => client.url === page)
    return open ? open.focus() : self.clients.openWindow(page)
  }
  event.waitUntil(show())
})
`

/** Serves the worker. Browsers check for a newer one at each registration, and it may load and connect to nothing. */
export const answerPushWorker = (_request: IncomingMessage, response: ServerResponse): void => {
  response.writeHead(200, {
    'Content-Type': 'text/javascript; charset=utf-8',
    'Cache-Control': 'no-cache',
    'Content-Security-Policy': "default-src 'none'",
  })
  response.end(PUSH_WORKER)
}
