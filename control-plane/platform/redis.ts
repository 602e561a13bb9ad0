import { Redis } from 'ioredis'
import type { Logger } from '#platform/logger.ts'

/** A connection that waits for Redis instead of failing commands, and says what breaks it. */
export function openRedis(url: string, name: string, log: Logger): Redis {
  const redis = new Redis(url, { maxRetriesPerRequest: null, connectionName: name })
  redis.on('error', (error) => log.warn({ connection: name, reason: error.message }, 'redis connection'))
  return redis
}

/** Ends a connection without waiting for a Redis that does not answer. */
export function closeRedis(redis: Redis): void {
  redis.disconnect(false)
}

/** Refuses a Redis that may throw jobs away when its memory is full. Returns the reason, or undefined when it is fit. */
export async function unfitRedis(redis: Redis): Promise<string | undefined> {
  const info = await redis.info('memory')
  const policy = /maxmemory_policy:(\S+)/.exec(info)?.[1] ?? 'unknown'
  return policy === 'noeviction' ? undefined : `Redis evicts keys (maxmemory-policy ${policy}); set it to noeviction`
}
