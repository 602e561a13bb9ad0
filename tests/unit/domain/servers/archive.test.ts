import { describe, expect, it } from 'vitest'
import { KEPT_AFTER_EXPIRY_MS } from '#domain/billing/lifetime.ts'
import { archiveRefusal, type ArchiveFacts } from '#domain/servers/archive.ts'
import { isAlive, SERVER_STATES } from '#domain/servers/server-lifecycle.ts'

const NOW = Date.UTC(2030, 0, 10)
const refusalOf = (change: Partial<ArchiveFacts> = {}) =>
  archiveRefusal({
    owns: true,
    isAdmin: false,
    state: 'offline',
    deleting: false,
    suspended: false,
    expiresAtMs: NOW - 1,
    nowMs: NOW,
    ...change,
  })
const ADMINISTRATOR = { owns: false, isAdmin: true }

describe('archiveRefusal', () => {
  it('gives the folder to the owner and to administrators, and to nobody else', () => {
    expect(refusalOf()).toBeUndefined()
    expect(refusalOf(ADMINISTRATOR)).toBeUndefined()
    expect(refusalOf({ owns: false })).toBe('FORBIDDEN')
  })

  it('gives it from the moment of expiry until the server is deleted, also when that is later than 72 h', () => {
    expect(refusalOf({ expiresAtMs: NOW + 1 })).toBe('NOT_EXPIRED')
    expect(refusalOf({ expiresAtMs: NOW })).toBeUndefined()
    expect(refusalOf({ expiresAtMs: NOW - KEPT_AFTER_EXPIRY_MS + 1 })).toBeUndefined()
    expect(refusalOf({ expiresAtMs: NOW - 2 * KEPT_AFTER_EXPIRY_MS })).toBeUndefined()
    expect(refusalOf({ deleting: true })).toBe('SERVER_DELETED')
    expect(refusalOf({ ...ADMINISTRATOR, expiresAtMs: NOW + 1 })).toBe('NOT_EXPIRED')
  })

  it.each(SERVER_STATES)('in %s gives only a folder that holds still', (state) => {
    const gives = ['offline', 'healthy', 'crashed', 'startup_failed', 'install_failed']
    const expected = isAlive(state) ? 'STILL_RUNNING' : 'INVALID_STATE'
    expect(refusalOf({ state })).toBe(gives.includes(state) ? undefined : expected)
    expect(refusalOf({ ...ADMINISTRATOR, state })).toBe(refusalOf({ state }))
  })

  it('gives what is suspended to administrators alone [S-5]', () => {
    expect(refusalOf({ suspended: true })).toBe('SERVER_SUSPENDED')
    expect(refusalOf({ ...ADMINISTRATOR, suspended: true })).toBeUndefined()
  })
})
