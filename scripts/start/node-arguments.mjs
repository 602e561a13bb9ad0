/**
 * Node's arguments for code that loads the CMS. The editor's packages load their build by a top-level `await import`
 * inside an import cycle, at which Node 20 occasionally exits with code 13; the condition selects the build directly.
 */
export const nodeArguments = (isDevelopment) =>
  isDevelopment ? ['--conditions=development', '--import', 'tsx'] : ['--conditions=production', '--enable-source-maps']

/**
 * Additional arguments of the agent: it is mostly idle, and V8 would otherwise reserve 16 MiB for short-lived objects.
 */
export const AGENT_ARGUMENTS = ['--max-semi-space-size=1']

/** Additional arguments of the site in production: after a crowd it keeps a third less memory (docs/decisions/0058). */
export const SITE_ARGUMENTS = ['--max-semi-space-size=4', '--max-old-space-size=1024']
