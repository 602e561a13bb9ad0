/**
 * Arguments with which Node runs what loads the CMS. The editor's packages load their build by a top-level `await import`
 * inside an import cycle, at which Node 20 now and then stops with exit code 13; the condition names the build directly.
 */
export const nodeArguments = (isDevelopment) =>
  isDevelopment ? ['--conditions=development', '--import', 'tsx'] : ['--conditions=production', '--enable-source-maps']

/**
 * Arguments of the agent besides: it idles beside the servers of its node, and V8 would keep 16 MiB for new objects that it does
 * not make.
 */
export const AGENT_ARGUMENTS = ['--max-semi-space-size=1']
