// This machine's npm access, as settings of the node.
import { execFile } from 'node:child_process'

/** Options that only npm itself supports: a node that fetches in its place would fail. */
const ONLY_NPM = ['ca', 'cert', 'proxy', 'https-proxy']
const PROXIES = /^(https?|all)_proxy$/i

/**
 * The registry and certificates from npm's configuration, as AGENT_NPM_REGISTRY and AGENT_CA_BUNDLE: with them the node
 * keeps a cache of packages. Empty if npm cannot be run, uses a proxy, or trusts by other means.
 */
export function npmSettingsOf(config, environment) {
  const hasProxy = Object.keys(environment).some((name) => PROXIES.test(name) && environment[name])
  const isNpmAlone = hasProxy || ONLY_NPM.some((name) => config[name]) || config['strict-ssl'] === false
  if (isNpmAlone || !/^https?:/.test(config.registry ?? '')) return {}
  return { AGENT_NPM_REGISTRY: config.registry, ...(config.cafile ? { AGENT_CA_BUNDLE: config.cafile } : {}) }
}

/** Reads the configuration of this machine's npm: files, environment and defaults. */
export const readNpmConfig = () =>
  new Promise((done) => {
    execFile('npm', ['config', 'list', '--json'], { timeout: 10_000 }, (error, stdout) => {
      try {
        done(error === null ? JSON.parse(stdout) : {})
      } catch {
        done({})
      }
    })
  })
