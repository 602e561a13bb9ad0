import type { ServerSettings } from '#contracts/http/panel/server-settings.ts'
import { changeIdentity, changeOperation, type SettingsRefusal } from '../servers/settings/change-settings.ts'
import { readSettings } from '../servers/settings/server-settings.ts'
import type { ApiDeps, InternalCalls } from './api-deps.ts'
import { ApiRefusal } from './api-refusal.ts'
import { reinstallCalls } from './reinstall-calls.ts'

type SettingsCall = 'server-settings' | 'change-identity' | 'change-operation' | 'reinstall-server'
type Answer = { readonly ok: true; readonly settings: ServerSettings } | SettingsRefusal

const settingsOf = async (answer: Promise<Answer>): Promise<ServerSettings> => {
  const result = await answer
  if (result.ok) return result.settings
  const { code, permission } = result
  throw new ApiRefusal(code, permission === undefined ? {} : { params: { permission } })
}

/** Calls about a server's name and how it is run. */
export const serverSettingsCalls = (deps: ApiDeps): Pick<InternalCalls, SettingsCall> => {
  const { context } = deps
  return {
    ...reinstallCalls(deps),
    'server-settings': (input) => settingsOf(readSettings(context, input)),
    'change-identity': (input, { requestId }) => settingsOf(changeIdentity(context, { ...input, requestId })),
    'change-operation': (input, { requestId }) => settingsOf(changeOperation(context, { ...input, requestId })),
  }
}
