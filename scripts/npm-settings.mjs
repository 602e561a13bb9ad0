// How this machine reaches npm packages, in the words of the node's settings.
import { execFile } from 'node:child_process'

/** What npm alone can do for an installation: a node that asks in its place would not get through. */
const ONLY_NPM = ['ca', 'cert', 'proxy', 'https-proxy']
const PROXIES = /^(https?|all)_proxy$/i

/**
 * The registry and the certificates that npm's configuration names, as AGENT_NPM_REGISTRY and AGENT_CA_BUNDLE: with them
 * the node keeps a cache of packages. Nothing where npm cannot be asked, goes through a proxy, or trusts by other means.
 */
export function npmSettingsOf(config, environment) {
  const hasProxy = Object.keys(environment).some((name) => PROXIES.test(name) && environment[name])
  const isNpmAlone = hasProxy || ONLY_NPM.some((name) => config[name]) || config['strict-ssl'] === false
  if (isNpmAlone || !/^https?:/.test(config.registry ?? '')) return {}
  return { AGENT_NPM_REGISTRY: config.registry, ...(config.cafile ? { AGENT_CA_BUNDLE: config.cafile } : {}) }
}

/** Asks npm of this machine for its configuration: its files, its environment and its defaults. */
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
