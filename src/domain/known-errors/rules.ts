/** Where the reader puts a problem right, or what the page puts right itself. */
export const KNOWN_ERROR_FIXES = [
  'accept-eula',
  'choose-java',
  'disable-plugin',
  'fix-ports',
  'restore-world',
  'fit-heap',
  'start',
  'free-storage',
  'startup',
  'files',
  'none',
] as const
export type KnownErrorFix = (typeof KNOWN_ERROR_FIXES)[number]

export interface KnownErrorRule {
  /** The key of its texts, under `console.known`. */
  readonly id: string
  /** Lower-case words: a line without one of them is never tried with the pattern. */
  readonly words: readonly string[]
  /** No repetition stands inside a repetition, so that a line costs at most its length a few times. */
  readonly pattern: RegExp
  readonly fix: KnownErrorFix
}

/** The errors that a host sees every day. Where two rules fit a line, the earlier one is the closer one. */
export const KNOWN_ERRORS = [
  {
    id: 'eula',
    words: ['eula'],
    pattern: /you need to agree to the eula in order to run the server/i,
    fix: 'accept-eula',
  },
  {
    id: 'java-version',
    words: [
      'class file version',
      'unsupportedclassversion',
      'requires java',
      'unsupported java',
      'requires running the server with java',
    ],
    pattern:
      /UnsupportedClassVersionError|compiled by a more recent version of the Java Runtime|unsupported java detected|requires running the server with java \d|requires java \d\d? or (?:above|newer|later)/i,
    fix: 'choose-java',
  },
  {
    id: 'no-jar',
    words: ['jarfile', 'could not find or load main class'],
    pattern: /^Error: (?:Unable to access jarfile|Invalid or corrupt jarfile|Could not find or load main class)/i,
    fix: 'files',
  },
  {
    id: 'port-in-use',
    words: ['bind', 'in use', 'eaddrinuse', 'address already', 'ip port'],
    pattern:
      /\*{4} FAILED TO BIND TO PORT|BindException: Address already in use|\bEADDRINUSE\b|\[Errno 98\]|Couldn't allocate any IP port|could not bind on .{1,80}is this address valid|Address already in use/i,
    fix: 'fix-ports',
  },
  {
    id: 'out-of-memory',
    words: ['outofmemory', 'out of memory', 'memoryerror', 'insufficient memory', 'object heap'],
    pattern:
      /java\.lang\.OutOfMemoryError|JavaScript heap out of memory|^MemoryError\b|insufficient memory for the Java Runtime|Could not reserve enough space for .{0,40}object heap|^Out of memory/i,
    fix: 'fit-heap',
  },
  {
    id: 'disk-full',
    words: ['no space left', 'enospc', 'disk quota', 'not enough space on the disk'],
    pattern: /No space left on device|\bENOSPC\b|Disk quota exceeded|not enough space on the disk/i,
    fix: 'free-storage',
  },
  {
    id: 'world-locked',
    words: ['session.lock', 'already locked'],
    pattern:
      /session\.lock: already locked|DirectoryLock\$LockException|Failed to lock the world|being accessed from another location/i,
    fix: 'start',
  },
  {
    id: 'world-corrupt',
    words: ['chunk', 'level.dat', 'region file', 'zlib', 'savegame'],
    pattern:
      /Failed to (?:load|read) level\.dat|Failed to load world data from .{1,160}level\.dat|Exception reading .{0,80}level\.dat|Chunk file at .{1,80} is in the wrong location|Region file .{1,120} has (?:truncated|invalid)|Couldn't load chunk|savegame is corrupt/i,
    fix: 'restore-world',
  },
  {
    id: 'missing-plugin',
    words: ['dependenc', 'requires', 'is missing', 'dependent on'],
    pattern:
      /UnknownDependencyException|Unknown\/missing dependency plugins|Missing or unsupported mandatory dependencies|requires .{1,120} of .{1,80}, which is missing|Could not find dependency .{1,80} for resource|Missing addon dependency|You cannot play\/edit this mission; it is dependent on downloadable content/i,
    fix: 'disable-plugin',
  },
  {
    id: 'bad-plugin',
    words: ['invalidplugin', 'zipexception', 'ambiguous plugin'],
    // Paper's own line names only the file; the cause, which may be another rule's, is in the next one.
    pattern: /InvalidPluginException|java\.util\.zip\.ZipException|Ambiguous plugin name/i,
    fix: 'disable-plugin',
  },
  {
    id: 'missing-module',
    words: ['cannot find module', 'no module named', 'err_module_not_found'],
    pattern: /Cannot find (?:module|package) '|ERR_MODULE_NOT_FOUND|ModuleNotFoundError: No module named/,
    fix: 'files',
  },
  {
    id: 'no-start-file',
    words: ['no such file', 'missing script', 'enoent', "can't open file"],
    pattern:
      /can't open file .{1,160}No such file or directory|npm (?:ERR!|error) Missing script|npm (?:ERR!|error) enoent .{0,160}package\.json/i,
    fix: 'startup',
  },
  {
    id: 'licence-key',
    words: ['license key', 'licensekey', 'sv_licensekey', 'gslt', 'steam servers', 'login token'],
    pattern:
      /Could not authenticate server license key|Invalid (?:license|sv_licenseKey)|sv_licenseKey .{0,40}(?:not set|missing|specified)|Server license key authentication .{0,40}failed|no license key was specified|Could not establish connection to Steam servers.{0,60}Invalid (?:password|token)|Game server login token .{0,60}(?:invalid|expired|revoked)/i,
    fix: 'startup',
  },
  {
    id: 'session-servers',
    words: ['authentication servers', 'verify username', 'invalid session'],
    pattern:
      /Authentication servers are down|Failed to verify username|Couldn't verify username because servers are unavailable|Failed to log in: Invalid session/i,
    fix: 'none',
  },
  {
    id: 'permission',
    words: ['permission denied', 'eacces', 'accessdenied', 'permissionerror'],
    pattern:
      /\bEACCES\b|AccessDeniedException|PermissionError: \[Errno 13\]|(?:open|mkdir|write|read|exec)\w* .{0,160}Permission denied/i,
    fix: 'files',
  },
  {
    id: 'bad-settings',
    words: ['yaml', 'properties', 'json', 'xml', 'parse', 'malformed', 'config'],
    pattern:
      /InvalidConfigurationException|org\.yaml\.snakeyaml\.\w{1,40}\.\w{1,40}Exception|Cannot load configuration from stream|Failed to load properties from file|Malformed \\uxxxx encoding|JsonSyntaxException|JSONDecodeError|Error parsing XML|Couldn't parse config file|^Error: (?:Could not|Failed to) parse config/i,
    fix: 'files',
  },
  {
    id: 'syntax',
    words: ['syntaxerror', 'syntax error', 'indentationerror'],
    pattern: /^(?:SyntaxError|IndentationError): |: syntax error near|SCRIPT ERROR: .{1,160}syntax error/i,
    fix: 'files',
  },
] as const satisfies readonly KnownErrorRule[]

export type KnownErrorId = (typeof KNOWN_ERRORS)[number]['id']
