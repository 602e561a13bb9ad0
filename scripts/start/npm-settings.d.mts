export function npmSettingsOf(
  config: Record<string, unknown>,
  environment: Record<string, string | undefined>,
): { AGENT_NPM_REGISTRY?: string; AGENT_CA_BUNDLE?: string }
export function readNpmConfig(): Promise<Record<string, unknown>>
