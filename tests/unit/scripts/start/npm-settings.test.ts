import { describe, expect, it } from 'vitest'

import { npmSettingsOf, readNpmConfig } from '../../../../scripts/start/npm-settings.mjs'

const REGISTRY = 'https://registry.npmjs.org/'
const DEFAULTS = { registry: REGISTRY, cafile: null, proxy: null, 'https-proxy': null, ca: null, 'strict-ssl': true }

describe('how the demo node reaches npm packages', () => {
  it.each([
    ['the defaults', {}, {}, { AGENT_NPM_REGISTRY: REGISTRY }],
    ['certificates', { cafile: '/ca.pem' }, {}, { AGENT_NPM_REGISTRY: REGISTRY, AGENT_CA_BUNDLE: '/ca.pem' }],
    ['another registry', { registry: 'http://npm.example/' }, {}, { AGENT_NPM_REGISTRY: 'http://npm.example/' }],
    ['a proxy', { proxy: 'http://proxy.example' }, {}, {}],
    ['a proxy for https', { 'https-proxy': 'http://proxy.example' }, {}, {}],
    ['a proxy of the environment', {}, { HTTPS_PROXY: 'http://proxy.example' }, {}],
    ['an empty proxy of the environment', {}, { https_proxy: '' }, { AGENT_NPM_REGISTRY: REGISTRY }],
    ['certificates in the configuration itself', { ca: 'PEM' }, {}, {}],
    ['no check of certificates', { 'strict-ssl': false }, {}, {}],
    ['no http address', { registry: 'file:///srv/npm' }, {}, {}],
  ])('%s', (_name, config, environment, expected) => {
    expect(npmSettingsOf({ ...DEFAULTS, ...config }, environment)).toEqual(expected)
  })

  it('takes nothing from an npm that does not answer', () => {
    expect(npmSettingsOf({}, {})).toEqual({})
  })

  it('reads the configuration of the npm that is here', async () => {
    expect(await readNpmConfig()).toMatchObject({ registry: expect.stringMatching(/^https?:/) })
  })
})
