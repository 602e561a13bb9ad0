import path from 'node:path'
import { postgresAdapter } from '@payloadcms/db-postgres'
import { lexicalEditor } from '@payloadcms/richtext-lexical'
import { de } from '@payloadcms/translations/languages/de'
import { en } from '@payloadcms/translations/languages/en'
import { hu } from '@payloadcms/translations/languages/hu'
import { buildConfig, inMemoryKVAdapter } from 'payload'
import { informalHungarian } from './src/cms/admin/hungarian.ts'
import { adminComponents } from './src/cms/admin/components.ts'
import { siteSession } from './src/cms/access/session-strategy.ts'
import { collections } from './src/cms/collections/index.ts'
import { contentLanguages } from './src/cms/fields/languages.ts'
import { globals } from './src/cms/globals/index.ts'
import { answerFields } from './src/cms/hooks/answer-fields.ts'
import { answerInLanguage } from './src/cms/hooks/answer-in-language.ts'
import { answerUnreadableRequest } from './src/cms/hooks/answer-unreadable-request.ts'
import { projectRoot } from './src/cms/start/paths.ts'
import { announceChanges } from './src/cms/plugins/announce-changes.ts'
import { denyByDefault } from './src/cms/plugins/deny-by-default.ts'
import { hideFromSupport } from './src/cms/plugins/hide-from-support.ts'
import { harden } from './src/cms/plugins/harden.ts'
import { nameErrors } from './src/cms/start/error-names.ts'
import { noMail } from './src/cms/start/no-mail.ts'
import { releaseLeakedClients, safePg } from './src/cms/start/safe-pool.ts'
import { cmsSettings } from './src/cms/start/settings.ts'
import { boundedSharp } from './src/cms/uploads/bounded-sharp.ts'
import { authenticateRequest } from './src/identity/dependencies.ts'

nameErrors()

const settings = cmsSettings()
const inRoot = (...parts: string[]): string => path.resolve(projectRoot, ...parts)

const config = buildConfig({
  secret: settings.payloadSecret,
  routes: { api: '/api/cms', admin: '/admin' },
  admin: {
    user: 'users',
    avatar: 'default',
    importMap: { baseDir: inRoot(), importMapFile: inRoot('src/app/(payload)/admin/import-map.ts') },
    meta: { titleSuffix: ' · Bakter', defaultOGImageType: 'off' },
    components: adminComponents,
    theme: 'dark',
  },
  collections: collections(siteSession(authenticateRequest)),
  globals,
  plugins: [denyByDefault, hideFromSupport, announceChanges],
  hooks: { afterError: [answerUnreadableRequest, answerInLanguage, answerFields] },
  editor: lexicalEditor(),
  sharp: boundedSharp,
  kv: inMemoryKVAdapter(),
  email: noMail,
  logger: { options: { level: settings.logLevel, base: { program: 'site' } } },
  graphQL: { disable: true },
  maxDepth: 3,
  defaultDepth: 1,
  telemetry: false,
  upload: { limits: { fileSize: 10_000_000 }, abortOnLimit: true },
  i18n: { supportedLanguages: { en, hu, de }, fallbackLanguage: 'en', translations: { hu: informalHungarian } },
  localization: {
    locales: contentLanguages.map((code) => ({ code, label: { en: 'English', hu: 'Magyar', de: 'Deutsch' }[code] })),
    defaultLocale: 'hu',
    fallback: true,
  },
  typescript: { autoGenerate: false, outputFile: inRoot('src/cms/payload-types.ts') },
  db: postgresAdapter({
    pg: safePg,
    push: false,
    idType: 'uuidv7',
    migrationDir: inRoot('src/cms/migrations'),
    pool: {
      connectionString: settings.databaseUrl,
      max: settings.poolMax,
      connectionTimeoutMillis: 10_000,
      idle_in_transaction_session_timeout: 30_000,
      statement_timeout: 30_000,
      lock_timeout: 5_000,
      application_name: settings.applicationName,
    },
  }),
  onInit: (payload) => {
    releaseLeakedClients(payload.db.pool)
  },
})

export default config.then(harden)
