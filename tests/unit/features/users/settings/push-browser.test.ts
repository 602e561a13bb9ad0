import { describe, expect, test } from 'vitest'
import { lookAtPush, turnPushOff, turnPushOn } from '../../../../../src/features/users/settings/push-browser.ts'
import type { PushParts } from '../../../../../src/features/users/settings/push-browser.ts'

const KEY = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 7)])
const OTHER_KEY = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 9)])
const endpoint = 'https://push.example.com/a'
const keys = { p256dh: KEY.toString('base64url'), auth: Buffer.alloc(16, 1).toString('base64url') }

type Facts = {
  permission?: NotificationPermission
  answers?: NotificationPermission
  subscribedWith?: Buffer
  fails?: boolean
}

/** A browser that tells what was done to it. */
const browser = ({ permission = 'default', answers = 'granted', subscribedWith, fails = false }: Facts = {}) => {
  const done: string[] = []
  let now = permission
  const subscriptionOf = (key: Uint8Array) => ({
    options: { applicationServerKey: Uint8Array.from(key).buffer },
    toJSON: () => ({ endpoint, expirationTime: null, keys }),
    unsubscribe: () => {
      done.push('unsubscribed')
      subscription = undefined
      return Promise.resolve(true)
    },
  })
  let subscription = subscribedWith === undefined ? undefined : subscriptionOf(subscribedWith)
  const pushManager = {
    getSubscription: () => Promise.resolve(subscription ?? null),
    subscribe: ({ applicationServerKey }: { applicationServerKey: Uint8Array }) => {
      done.push('subscribed')
      if (fails) return Promise.reject(new Error('Registration failed - push service not available'))
      subscription = subscriptionOf(applicationServerKey)
      return Promise.resolve(subscription)
    },
  }
  const registration = { active: { state: 'activated' }, installing: null, waiting: null, pushManager }
  const parts = {
    permission: () => now,
    ask: () => {
      done.push('asked')
      now = answers
      return Promise.resolve(now)
    },
    known: () => Promise.resolve(registration),
    register: () => {
      done.push('registered')
      return Promise.resolve(registration)
    },
  } as unknown as PushParts
  return { parts, done }
}
const publicKey = KEY.toString('base64url')

describe('what a browser says of pushes', () => {
  test.each([
    ['has no such thing', undefined, { kind: 'unsupported' }],
    ['blocks this site', browser({ permission: 'denied' }).parts, { kind: 'blocked' }],
    ['was never asked', browser().parts, { kind: 'ready', isSubscribed: false }],
    ['may, and does not', browser({ permission: 'granted' }).parts, { kind: 'ready', isSubscribed: false }],
    [
      'may, and does',
      browser({ permission: 'granted', subscribedWith: KEY }).parts,
      { kind: 'ready', isSubscribed: true },
    ],
    [
      'did, until the permission was taken back',
      browser({ permission: 'default', subscribedWith: KEY }).parts,
      { kind: 'ready', isSubscribed: false },
    ],
  ])('that %s', async (_what, parts, present) => {
    expect(await lookAtPush(parts)).toEqual(present)
  })

  test('is asked of it without asking its reader', async () => {
    const { parts, done } = browser()
    await lookAtPush(parts)
    expect(done).toEqual([])
  })
})

describe('turning pushes on', () => {
  test('asks first, and then subscribes with the key of the site', async () => {
    const { parts, done } = browser()
    expect(await turnPushOn(parts, publicKey)).toEqual({ kind: 'subscribed', subscription: { endpoint, keys } })
    expect(done).toEqual(['asked', 'registered', 'subscribed'])
  })

  test('takes a subscription of the same key as it is, and makes one of another key anew', async () => {
    const same = browser({ subscribedWith: KEY })
    await turnPushOn(same.parts, publicKey)
    expect(same.done).toEqual(['asked', 'registered'])
    const other = browser({ subscribedWith: OTHER_KEY })
    await turnPushOn(other.parts, publicKey)
    expect(other.done).toEqual(['asked', 'registered', 'unsubscribed', 'subscribed'])
  })

  test.each([
    ['denied', 'denied'],
    ['default', 'dismissed'],
  ] as const)('ends where the answer is "%s"', async (answers, kind) => {
    const { parts, done } = browser({ answers })
    expect(await turnPushOn(parts, publicKey)).toEqual({ kind })
    expect(done).toEqual(['asked'])
  })

  test('says so when the browser has no push service', async () => {
    expect(await turnPushOn(browser({ fails: true }).parts, publicKey)).toEqual({ kind: 'unreachable' })
  })
})

test('turning pushes off ends the subscription', async () => {
  const { parts, done } = browser({ permission: 'granted', subscribedWith: KEY })
  await turnPushOff(parts)
  expect(done).toEqual(['unsubscribed'])
  expect(await lookAtPush(parts)).toEqual({ kind: 'ready', isSubscribed: false })
})
