import { Redis } from 'ioredis'
import type { Logger } from '#platform/logger.ts'

/** A connection that waits for Redis instead of failing commands, and logs its errors. */
export function openRedis(url: string, name: string, log: Logger): Redis {
  const redis = new Redis(url, { maxRetriesPerRequest: null, connectionName: name })
  redis.on('error', (error) => log.warn({ connection: name, reason: error.message }, 'redis connection'))
  return redis
}

/** Closes a connection without waiting for an unresponsive Redis. */
export function closeRedis(redis: Redis): void {
  redis.disconnect(false)
}

/** Refuses a Redis that may evict jobs when its memory is full. Returns the reason, or undefined if it is suitable. */
export async function unfitRedis(redis: Redis): Promise<string | undefined> {
  const info = await redis.info('memory')
  const policy = /maxmemory_policy:(\S+)/.exec(info)?.[1] ?? 'unknown'
  return policy === 'noeviction' ? undefined : `Redis evicts keys (maxmemory-policy ${policy}); set it to noeviction`
}
