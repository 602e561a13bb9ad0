import type { Settings } from './settings.d.mts'

type Environment = Record<string, string | undefined>

/** The environments of the programs and of the steps before them. */
export function environmentsFor(options: {
  settings: Settings
  secrets: Record<string, string>
  databaseUrl: string
  buildId: string
  npm: Environment
  isDevelopment: boolean
  inherited?: Environment
}): Record<'site' | 'control-plane' | 'agent' | 'tools', Environment>
