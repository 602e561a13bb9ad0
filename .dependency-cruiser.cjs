/** The architecture, as rules. Each rule's comment says why; delete a rule only with the decision that made it. */
const { readdirSync, readFileSync } = require('node:fs')

const KERNEL = '^src/(domain|contracts)/'
const NPM = 'node_modules/'
/** The only packages that the platform brings along. */
const PLATFORM_PACKAGES = 'pg|pino|proxy-addr|uuid|zod'
/** Parts of the site that know no server. */
const CLIENT_PARTS =
  '^src/(features/[^/]+/components|features/realtime|ui|lib/(browser-client|forms|queries|format|messages|navigation|ordering|realtime|servers))/.+\\.tsx?$'
const never = (name, from, to, comment) => ({ name, severity: 'error', comment, from, to })
/** Only these files may import the packages. */
const only = (name, packages, allowed, comment) =>
  never(name, { pathNot: [...allowed, NPM] }, { path: `${NPM}(${packages})(/|$)` }, comment)

const isForBrowsers = (path) =>
  /\.tsx?$/.test(path) && /^\s*(\/\*[\s\S]*?\*\/\s*)?['"]use client['"]/.test(readFileSync(path, 'utf8'))
/** The code that browsers run begins in these files. */
const BROWSER_PARTS = [
  '^src/(features/realtime|ui|lib/(browser-client|forms|queries|format|messages|navigation|ordering|realtime|servers))/',
  ...readdirSync('src', { recursive: true })
    .map((path) => `src/${path}`)
    .filter(isForBrowsers)
    .map((path) => `^${path.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`),
]

/** The rooms of the control plane, from the doors down. */
const ROOMS = ['api', 'people', 'tickets', 'money', 'servers', 'messages', 'cms', 'platform']

/** Files that something other than an import starts. */
const ENTRIES = [
  '(^|/)\\.',
  '\\.d\\.(ts|mts)$',
  '^(tests|scripts|docs)/',
  '^src/app/',
  '^src/(instrumentation|i18n/request)\\.ts$',
  '^src/cms/(views|seed|fields|payload-types|migrate)',
  '^(next|payload)\\.config\\.ts$',
  '(^|/)main\\.ts$',
  '^agents/servers/programs/',
]

/** Where programs begin: Next and Payload find some of these files by their names. */
const STARTS = [
  '^src/app/',
  '^src/(instrumentation(-client)?|i18n/request|cms/(generate|create-migration))\\.ts$',
  '^(next|payload)\\.config\\.ts$',
  '(^|/)main\\.ts$',
  '^agents/servers/programs/',
]

module.exports = {
  forbidden: [
    never('no-cycles', {}, { circular: true }, 'A cycle is one module pretending to be two.'),
    never(
      'no-unresolved',
      {},
      { couldNotResolve: true, pathNot: '^flying-squid(/|$)' },
      "Every import must exist. The game is installed in the server's folder, next to the program that imports it.",
    ),
    never('no-orphans', { orphan: true, pathNot: ENTRIES }, {}, 'Nobody imports it: delete it.'),
    never(
      'no-unreached',
      { path: [...STARTS, '^scripts/'] },
      { path: '^(src|control-plane|agents)/', pathNot: [...STARTS, '\\.d\\.ts$'], reachable: false },
      'No program gets to it. A module that tests alone import is no part of the product.',
    ),

    // The kernel: pure domain, then wire contracts.
    never(
      'domain-is-pure',
      { path: '^src/domain/' },
      { pathNot: '^src/domain/' },
      'No npm, no node:*, no Payload, React or docker: only other domain files.',
    ),
    never(
      'contracts-are-schemas',
      { path: '^src/contracts/' },
      { pathNot: [KERNEL, `${NPM}zod(/|$)`] },
      'Contracts are zod plus domain words. They run in the browser, the control plane and the agents.',
    ),

    // Every program needs these parts of Node.
    never(
      'platform-is-a-leaf',
      { path: '^src/platform/' },
      {
        pathNot: ['^src/platform/', `${NPM}(@types/)?(${PLATFORM_PACKAGES})(/|$)`],
        dependencyTypesNot: ['core'],
      },
      'The platform knows Node and a few packages. It knows no wire, no rule of the domain and no program.',
    ),
    never(
      'platform-stays-on-servers',
      { path: BROWSER_PARTS },
      { path: '^src/platform/', reachable: true },
      'The platform needs Node: nothing that a browser runs reaches it.',
    ),

    never(
      'message-text-is-a-leaf',
      { path: '^src/message-text/' },
      { pathNot: ['^src/message-text/', `${NPM}(@types/)?(mdast|mdast-util-from-markdown|react)(/|$)`] },
      'Pages and mails draw a message: it knows its parser and elements, and no program.',
    ),

    // The three programs never import each other. They meet in contracts.
    never(
      'site-is-alone',
      { path: '^(src|payload\\.config|next\\.config)' },
      { path: '^(control-plane|agents)/' },
      'The site talks to the control plane through a contract.',
    ),
    never(
      'control-plane-is-alone',
      { path: '^control-plane/' },
      { path: '^(src/(?!domain/|contracts/|message-text/|platform/)|agents/|payload\\.config)' },
      'Only the kernel, the text of messages and the platform of src are shared.',
    ),
    never(
      'agents-are-alone',
      { path: '^agents/' },
      { path: '^(src/(?!contracts/|platform/)|control-plane/|payload\\.config)' },
      'An agent knows the wire protocol and the platform, and nothing else. Not even the domain.',
    ),
    never(
      'source-ignores-tests',
      { path: '^(src|control-plane|agents|payload\\.config|next\\.config)' },
      { path: '^(tests|scripts)/' },
      'Production never imports tests or tools.',
    ),

    // Inside the control plane: api > people > tickets > money > servers > messages > cms > platform. A room knows those to its right.
    ...ROOMS.map((room, index) =>
      never(
        `${room}-points-down`,
        { path: `^control-plane/${room}/` },
        {
          path: ['^control-plane/[^/]+\\.ts$', ...ROOMS.slice(0, index).map((higher) => `^control-plane/${higher}/`)],
        },
        'A room knows the rooms below it, never those above and never the files that put the program together.',
      ),
    ),
    never(
      'tickets-move-no-money',
      { path: '^control-plane/tickets/' },
      { path: '^control-plane/money/' },
      'Tickets cost nothing.',
    ),
    never(
      'tickets-are-for-doors',
      { path: '^control-plane/(?!api/|tickets/|start-jobs\\.ts$)' },
      { path: '^control-plane/tickets/' },
      'Only the doors and the jobs of the control plane use tickets.',
    ),
    {
      name: 'no-folder-cycles',
      severity: 'error',
      comment: 'Two folders that import one another are one folder, or a third one is missing between them.',
      scope: 'folder',
      from: { path: '^(control-plane|agents|src)' },
      to: { circular: true },
    },

    // Inside the site: app > features > (cms | identity | lib | ui) > kernel, and server > api > (identity | lib) beside it.
    never(
      'app-is-the-top',
      { pathNot: ['^src/app/', '^tests/'] },
      { path: '^src/app/', pathNot: '^src/app/globals\\.css$' },
      'Routes compose; nothing composes routes.',
    ),
    never(
      'server-is-the-top',
      { pathNot: ['^src/server/', '^(tests|scripts)/'] },
      { path: '^src/server/' },
      "The site's own server wraps Next; nothing inside knows it.",
    ),
    never(
      'api-is-before-the-pages',
      { pathNot: ['^src/(api|server)/', '^(tests|scripts)/'] },
      { path: '^src/api/' },
      "The site's own server alone serves the API; pages and features ask it over HTTP.",
    ),
    never(
      'api-knows-no-pages',
      { path: '^src/api/' },
      {
        path: [
          '^src/(app|cms|features|ui)/',
          '^src/lib/(browser-client|forms|queries|messages|ordering|servers)/',
          `${NPM}(next|react|react-dom|payload|@payloadcms)(/|$)`,
        ],
      },
      'A call of the API knows its request, use cases and contracts, and neither the framework of the pages nor the CMS.',
    ),
    never(
      'features-are-siblings',
      { path: '^src/features/([^/]+)/' },
      { path: '^src/features/([^/]+)/', pathNot: '^src/features/($1|realtime)/' },
      'Two features meet in a route. Only realtime is a feature that features use.',
    ),
    never(
      'below-features',
      { path: '^src/(lib|ui|cms|identity)/' },
      { path: '^src/features/' },
      'Dependencies point down.',
    ),
    never(
      'ui-knows-no-business',
      { path: '^src/ui/' },
      { path: '^src/(?!ui/|i18n/|lib/format/)' },
      'Primitives could be published as they are.',
    ),
    never(
      'client-parts-stay-client',
      { path: CLIENT_PARTS },
      {
        path: [
          '^src/lib/(requests/|site/(control-plane-client|env|request-body)|message-store/)',
          '^src/cms/start/payload\\.ts$',
          '^src/(identity|server|api)/',
          `${NPM}(payload|bullmq|ioredis|pg)(/|$)`,
        ],
        dependencyTypesNot: ['type-only'],
      },
      'A component gets data as props or calls the interface.',
    ),

    // Frameworks and drivers, each behind one door.
    only(
      'payload-door',
      'payload|@payloadcms',
      ['^src/cms/', '^src/app/\\(payload\\)/', '^(payload|next)\\.config\\.ts$', '^tests/'],
      'Payload is reached through src/cms.',
    ),
    never(
      'config-door',
      {
        pathNot: [
          '^src/cms/(start/(payload|with-payload)|migrate|generate|create-migration)\\.ts$',
          '^src/app/\\(payload\\)/',
          '^(tests|scripts)/',
        ],
      },
      { path: '^payload\\.config\\.ts$' },
      'Importing the config boots the CMS.',
    ),
    only(
      'react-door',
      'react|react-dom',
      [
        '^src/(app|ui|features|cms|i18n|message-text)/',
        '^src/lib/(attachments|forms|message-text|messages|ordering|queries|realtime|servers)/',
        '^control-plane/messages/mail/(templates/|render-mail\\.ts$)',
        '^control-plane/money/invoices/pdf/',
        '^tests/',
      ],
      'No React outside the site, the text of messages, the templates of mails and the paper of invoices.',
    ),
    only('markdown-door', 'mdast-util-from-markdown', ['^src/message-text/', '^tests/'], 'Its bounds have one place.'),
    only(
      'mail-door',
      'nodemailer|@react-email',
      [
        '^control-plane/messages/mail/(transports|templates)/',
        '^control-plane/messages/mail/render-mail\\.ts$',
        '^tests/',
      ],
      'Mails are made and sent in one place.',
    ),
    only(
      'mailbox-door',
      'imapflow|postal-mime',
      ['^control-plane/messages/inbox/(imap/|parse-mail\\.ts$)', '^src/server/demo-mails\\.ts$', '^tests/'],
      'Received mails are read and parsed in one place, with its bounds.',
    ),
    never(
      'mails-are-parsed-in-a-thread',
      { path: '^control-plane/', pathNot: '/messages/inbox/(parser/main|mail-content|mail-parser)\\.ts$' },
      { path: '/messages/inbox/(mail-content|parse-mail)\\.ts$', dependencyTypesNot: ['type-only'] },
      'A mail takes up to seconds of a core: gateway and API answer meanwhile.',
    ),
    only('pdf-door', '@react-pdf', ['^control-plane/money/invoices/pdf/', '^tests/'], 'One place draws documents.'),
    only('docker-door', 'dockerode', ['^agents/runtime/docker/', '^tests/'], 'One driver knows docker.'),
    only(
      'gamedig-door',
      'gamedig',
      ['^agents/players/worker/', '^tests/'],
      'One process asks games for their players.',
    ),
    only(
      'bullmq-door',
      'bullmq',
      ['^control-plane/platform/', '^(tests|scripts)/'],
      'The site has no queue: it asks the control plane.',
    ),
    only(
      'redis-door',
      'ioredis',
      ['^control-plane/platform/', '^scripts/start/own-stores\\.mjs$', '^tests/'],
      'Redis is one of two backends; the rest of the code does not know which.',
    ),
    only(
      'websocket-door',
      'ws',
      [
        '^control-plane/platform/sockets/websocket\\.ts$',
        '^agents/(connection|http)/websocket\\.ts$',
        '^src/server/',
        '^tests/',
      ],
      'Sessions see the small socket interface, never ws.',
    ),
    only(
      'postgres-door',
      'pg',
      ['^src/platform/postgres/', '^src/cms/start/safe-pool\\.ts$', '^(tests|scripts)/'],
      'A program has one pool, and its settings stand in one file.',
    ),
    only(
      'log-door',
      'pino',
      ['^src/platform/logger\\.ts$', '^tests/'],
      'One log, and one list of secrets that it leaves out.',
    ),
    only(
      'password-door',
      '@node-rs/argon2',
      ['^src/identity/', '^tests/'],
      'Passwords are hashed in one place, a few at a time.',
    ),
    only(
      'stripe-door',
      'stripe',
      ['^control-plane/money/payments/providers/stripe/', '^tests/'],
      'One adapter knows Stripe.',
    ),

    never(
      'env-door',
      { path: '^(control-plane|agents)/', pathNot: '^(control-plane|agents)/(main|dependencies)\\.ts$' },
      { path: '^(control-plane|agents)/env\\.ts$' },
      'Settings are read once, at the start, and handed down.',
    ),

    // Adapters are named only where the program is put together.
    never(
      'adapters-through-catalog',
      {
        pathNot: [
          '^(agents|control-plane)/.+/catalog\\.ts$',
          '^(agents|control-plane)/dependencies\\.ts$',
          '^(tests|scripts)/',
          '^(agents/(runtime/(?!driver/)|backups/|quota/)|control-plane/money/(payments|invoices)/providers/)[^/]+/',
          '^(control-plane/messages/mail/transports/[^/]+/|src/platform/virus-scan/catalog\\.ts$)',
        ],
      },
      {
        path: [
          '^(agents/(runtime/(?!driver/)|backups/|quota/)|control-plane/money/(payments|invoices)/providers/)[^/]+/.+\\.ts$',
          '^(control-plane/messages/mail/transports/[^/]+/.+|src/platform/virus-scan/clamd)\\.ts$',
        ],
      },
      'Callers know the interface; the catalog knows the implementations.',
    ),
    never(
      'jobs-are-thin',
      { path: '^control-plane/(?!platform/jobs/|start-jobs\\.ts$)' },
      { path: '^control-plane/platform/jobs/' },
      'A job calls a use case. A use case never knows it runs in a job.',
    ),
    never(
      'plan-is-pure',
      { path: '^control-plane/servers/provisioning/(reconcile|plan)\\.ts$' },
      { pathNot: ['^src/(domain|contracts)/', '^control-plane/servers/provisioning/plan\\.ts$'] },
      'Desired state in, plan out. Time and identity come in as arguments.',
    ),

    // A domain file that no unit test imports is not finished.
    {
      name: 'domain-is-tested',
      severity: 'error',
      comment: 'Write tests/unit/domain/<same path>.test.ts.',
      module: { path: '^src/domain/(?!kernel/)', numberOfDependentsLessThan: 1 },
      from: { path: '^tests/unit/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '\\.next|^dist/' },
    // Type-only imports count: a type is a dependency too.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.css', '.d.ts'],
    },
  },
}
