import { expect, test } from 'vitest'
import { PERMISSIONS } from '#contracts/panel/permissions.ts'
import type { Permission } from '#contracts/panel/permissions.ts'
import { SERVER_WORDS } from '#domain/servers/status.ts'
import type { ServerWord } from '#domain/servers/status.ts'
import { missingForPower, powerActionsFor } from '../../../../src/lib/servers/power-actions.ts'

/** The actions that each state allows, with the permission of each action. */
const TABLE: Readonly<Record<ServerWord, Readonly<Record<string, Permission>>>> = {
  running: { restart: 'control.restart', stop: 'control.stop' },
  starting: { stop: 'control.stop' },
  stopping: { kill: 'control.stop' },
  offline: { start: 'control.start' },
  healthy: { start: 'control.start' },
  crashed: { start: 'control.start' },
  'error on startup': { start: 'control.start' },
  installing: {},
  suspended: {},
  nodeoffline: {},
  unknown: {},
}

test.each(SERVER_WORDS)(
  '%s: each key alone allows its own actions, and every other one is named as missing',
  (word) => {
    const rows = Object.entries(TABLE[word])
    for (const key of PERMISSIONS) {
      const own = rows.filter(([, needs]) => needs === key).map(([action]) => action)
      const others = rows.filter(([, needs]) => needs !== key).map(([, needs]) => needs)
      expect([key, powerActionsFor(word, [key]), missingForPower(word, [key])]).toEqual([key, own, others])
    }
    expect(powerActionsFor(word, PERMISSIONS)).toEqual(rows.map(([action]) => action))
    expect(powerActionsFor(word, [])).toEqual([])
  },
)
