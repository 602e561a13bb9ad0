import webPush from 'web-push'
import type { OutgoingPush } from './push-service.ts'
import type { PushKey } from './push-keys.ts'

export type PushTarget = { readonly endpoint: string; readonly p256dh: string; readonly auth: string }

/** The payload for the site's push worker. `tag` identifies the notification: a second one replaces the first. */
export type PushText = {
  readonly title: string
  readonly body: string
  readonly path: string
  readonly tag: string
  readonly lang: string
}

/** A push service accepts 4096 bytes, of which the envelope takes 103 (RFC 8291 section 4). */
const MAX_TEXT_BYTES = 3_900

/**
 * Encrypts a text for one browser (RFC 8291) and signs for its push service (RFC 8292). The library only builds the
 * request: the one door for outgoing requests sends it. Throws when the target's keys are invalid.
 */
export function composePush(
  target: PushTarget,
  text: PushText,
  { key, contact, lifeSeconds }: { key: PushKey; contact: string; lifeSeconds: number },
): OutgoingPush {
  const payload = JSON.stringify(text)
  if (Buffer.byteLength(payload) > MAX_TEXT_BYTES) throw new Error('the text of a push is too long')
  const { endpoint, p256dh, auth } = target
  const details = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, payload, {
    vapidDetails: { subject: contact, publicKey: key.publicKey, privateKey: key.privateKey },
    contentEncoding: 'aes128gcm',
    TTL: lifeSeconds,
    urgency: 'normal',
    // While the browser is offline the service keeps one message per topic: a repetition replaces the first.
    topic: text.tag.replaceAll('-', '').slice(0, 32),
  })
  const headers = Object.entries(details.headers).map(([name, value]) => [name, String(value)])
  return { endpoint, headers: Object.fromEntries(headers), body: details.body }
}
