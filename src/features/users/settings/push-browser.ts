import { PushSubscribe } from '#contracts/http/notification-settings.ts'

const WORKER = '/push-worker.js'
/** No page is below it: the worker receives pushes, but no requests of pages. */
const SCOPE = '/push/'

/**
 * This browser's capabilities, and whether it is subscribed. `blocked` is the reader's choice in the browser's
 * settings.
 */
export type PushPresent =
  | { readonly kind: 'unsupported' }
  | { readonly kind: 'blocked' }
  | { readonly kind: 'ready'; readonly isSubscribed: boolean }

/** The result of subscribing. `unreachable`: the browser has no push service, or cannot reach it. */
export type PushAnswer =
  | { readonly kind: 'subscribed'; readonly subscription: PushSubscribe }
  | { readonly kind: 'dismissed' | 'denied' | 'unreachable' }

type Registration = Pick<ServiceWorkerRegistration, 'active' | 'installing' | 'waiting' | 'pushManager'>

/** The browser APIs that pushes need; undefined if one is missing. */
export type PushParts = {
  readonly permission: () => NotificationPermission
  readonly ask: () => Promise<NotificationPermission>
  readonly known: () => Promise<Registration | undefined>
  readonly register: () => Promise<Registration>
}

/** The APIs of this browser. Without TLS, and in some private windows, there are none. */
export const pushParts = (): PushParts | undefined => {
  const has = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
  if (!has || !window.isSecureContext) return undefined
  return {
    permission: () => Notification.permission,
    ask: () => Notification.requestPermission(),
    known: () => navigator.serviceWorker.getRegistration(SCOPE),
    register: () => navigator.serviceWorker.register(WORKER, { scope: SCOPE, updateViaCache: 'none' }),
  }
}

export const lookAtPush = async (parts: PushParts | undefined): Promise<PushPresent> => {
  if (!parts) return { kind: 'unsupported' }
  if (parts.permission() === 'denied') return { kind: 'blocked' }
  const subscription = await (await parts.known())?.pushManager.getSubscription()
  return { kind: 'ready', isSubscribed: parts.permission() === 'granted' && Boolean(subscription) }
}

/** Subscriptions need a running worker. */
const running = async (registration: Registration): Promise<Registration> => {
  const worker = registration.active ?? registration.waiting ?? registration.installing
  if (!worker || worker.state === 'activated') return registration
  await new Promise<void>((done) => {
    const look = () => {
      if (worker.state === 'activated' || worker.state === 'redundant') done()
    }
    worker.addEventListener('statechange', look)
    look()
  })
  return registration
}

const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> => {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(text, (letter) => letter.codePointAt(0) ?? 0)
}

const isSame = (one: ArrayBuffer | null, other: Uint8Array): boolean =>
  one !== null && one.byteLength === other.byteLength && new Uint8Array(one).every((byte, at) => byte === other[at])

/** Subscribes with the site's key; a subscription made with another key is useless. */
const subscribe = async (registration: Registration, publicKey: string): Promise<PushSubscription> => {
  const { pushManager } = await running(registration)
  const applicationServerKey = bytesOf(publicKey)
  const known = await pushManager.getSubscription()
  if (known && isSame(known.options.applicationServerKey, applicationServerKey)) return known
  await known?.unsubscribe()
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })
}

/** Requests permission and subscribes. Call it in the reader's click, as browsers require. */
export const turnPushOn = async (parts: PushParts, publicKey: string): Promise<PushAnswer> => {
  const permission = await parts.ask()
  if (permission !== 'granted') return { kind: permission === 'denied' ? 'denied' : 'dismissed' }
  try {
    const made = await subscribe(await parts.register(), publicKey)
    const { endpoint, keys } = made.toJSON()
    return { kind: 'subscribed', subscription: PushSubscribe.parse({ endpoint, keys }) }
  } catch {
    return { kind: 'unreachable' }
  }
}

/** Ends the subscription in this browser. The site has already deleted it, so a failure here has no effect. */
export const turnPushOff = async (parts: PushParts): Promise<void> => {
  try {
    await (await (await parts.known())?.pushManager.getSubscription())?.unsubscribe()
  } catch {
    // The browser keeps a subscription that nobody uses.
  }
}
