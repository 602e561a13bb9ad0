// The settings of each demo program. The user's own stay; required ones are added.
import { join } from 'node:path'

import { addressesOf } from './settings.mjs'

/** The node's access to npm: the user's settings take precedence over those of this machine's npm. */
const nodeNpmSettings = (inherited, ofMachine) => {
  const caBundle = inherited.AGENT_CA_BUNDLE || ofMachine.AGENT_CA_BUNDLE || inherited.NODE_EXTRA_CA_CERTS
  const registry = inherited.AGENT_NPM_REGISTRY || ofMachine.AGENT_NPM_REGISTRY
  return {
    ...(caBundle ? { AGENT_CA_BUNDLE: caBundle } : {}),
    ...(registry ? { AGENT_NPM_REGISTRY: registry } : {}),
  }
}

/** The folder of the demo's mails, which the site shows. */
const mailFolder = ({ dataDir }) => ({ MAIL_FOLDER: join(dataDir, 'mail') })

const agentSettings = ({ dataDir, ports }, addresses) => ({
  AGENT_PORT: String(ports.AGENT_PORT),
  AGENT_HEALTH_PORT: String(ports.AGENT_HEALTH_PORT),
  SFTP_PORT: String(ports.SFTP_PORT),
  AGENT_DATA: join(dataDir, 'agent'),
  CONTROL_PLANE_URL: addresses.controlPlane,
  AGENT_PUBLIC_URL: addresses.agent,
})

/** Environment of each program and of the steps that run before them. */
export function environmentsFor({
  settings,
  secrets,
  databaseUrl,
  buildId,
  npm,
  isDevelopment,
  inherited = process.env,
}) {
  const { dataDir, host, ports, redisUrl } = settings
  const addresses = addressesOf(settings)
  const nodeEnv = isDevelopment ? 'development' : 'production'
  const common = {
    ...inherited,
    NODE_ENV: nodeEnv,
    BAKTER_MODE: 'demo',
    BAKTER_DATA: dataDir,
    // The programs exit when the supervisor closes their stdin.
    BAKTER_SUPERVISED: '1',
    HOST: host,
    NEXT_TELEMETRY_DISABLED: '1',
  }
  const stores = { DATABASE_URL: databaseUrl, ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }) }
  const site = {
    ...common,
    DATABASE_URL: databaseUrl,
    BUILD_ID: buildId,
    PORT: String(ports.PORT),
    SITE_HEALTH_PORT: String(ports.SITE_HEALTH_PORT),
    SITE_URL: addresses.site,
    INTERNAL_SECRET: secrets.internalSecret,
    PAYLOAD_SECRET: secrets.payloadSecret,
    CONTROL_PLANE_URL: addresses.controlPlaneInternal,
    GATEWAY_URL: addresses.gateway,
    MEDIA_DIR: join(dataDir, 'media'),
    SECRETS_KEY: secrets.secretsKey,
    ...mailFolder(settings),
  }
  return {
    site,
    'control-plane': {
      ...common,
      ...stores,
      CONTROL_PLANE_PORT: String(ports.CONTROL_PLANE_PORT),
      CONTROL_PLANE_INTERNAL_PORT: String(ports.CONTROL_PLANE_INTERNAL_PORT),
      CONTROL_PLANE_PUBLIC_URL: addresses.controlPlane,
      CONTROL_PLANE_SECRET: secrets.controlPlaneSecret,
      GATEWAY_URL: addresses.gateway,
      INTERNAL_SECRET: secrets.internalSecret,
      SECRETS_KEY: secrets.secretsKey,
      // A folder would be preferred to the mail server.
      ...(settings.hasMailServer ? {} : mailFolder(settings)),
      SITE_URL: addresses.site,
      SITE_INTERNAL_URL: addresses.siteHealth,
    },
    agent: {
      ...common,
      ...agentSettings(settings, addresses),
      ...nodeNpmSettings(inherited, npm),
    },
    tools: {
      ...site,
      ...stores,
      DEMO_ADMIN_PASSWORD: secrets.adminPassword,
      DEMO_SUPPORT_PASSWORD: secrets.supportPassword,
      DEMO_CUSTOMER_PASSWORD: secrets.customerPassword,
      AGENT_PUBLIC_URL: addresses.agent,
      GAME_PORTS: settings.gamePorts,
    },
  }
}
