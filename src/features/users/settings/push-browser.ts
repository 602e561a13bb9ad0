import { PushSubscribe } from '#contracts/http/notification-settings.ts'

const WORKER = '/push-worker.js'
/** No page lies below it: the worker gets pushes, and no request of any page. */
const SCOPE = '/push/'

/** What this browser can do, and whether it is subscribed. `blocked` is the reader's own word in the browser's settings. */
export type PushPresent =
  | { readonly kind: 'unsupported' }
  | { readonly kind: 'blocked' }
  | { readonly kind: 'ready'; readonly isSubscribed: boolean }

/** What came of asking. `unreachable`: the browser has no push service, or does not get there. */
export type PushAnswer =
  | { readonly kind: 'subscribed'; readonly subscription: PushSubscribe }
  | { readonly kind: 'dismissed' | 'denied' | 'unreachable' }

type Registration = Pick<ServiceWorkerRegistration, 'active' | 'installing' | 'waiting' | 'pushManager'>

/** The parts of a browser that pushes need; undefined where it lacks one. */
export type PushParts = {
  readonly permission: () => NotificationPermission
  readonly ask: () => Promise<NotificationPermission>
  readonly known: () => Promise<Registration | undefined>
  readonly register: () => Promise<Registration>
}

/** The parts of this browser. Without TLS, and in some private windows, it has none. */
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

/** A subscription is made by a worker that runs. */
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

/** Subscribes with the site's key; a subscription that another key made is of no use to it. */
const subscribe = async (registration: Registration, publicKey: string): Promise<PushSubscription> => {
  const { pushManager } = await running(registration)
  const applicationServerKey = bytesOf(publicKey)
  const known = await pushManager.getSubscription()
  if (known && isSame(known.options.applicationServerKey, applicationServerKey)) return known
  await known?.unsubscribe()
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })
}

/** Asks for permission and subscribes. To be called in the reader's own click: browsers ask nobody otherwise. */
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

/** Ends the subscription in this browser. The site has forgotten it before: what fails here reaches nobody. */
export const turnPushOff = async (parts: PushParts): Promise<void> => {
  try {
    await (await (await parts.known())?.pushManager.getSubscription())?.unsubscribe()
  } catch {
    // The browser keeps a subscription that nobody sends to.
  }
}
