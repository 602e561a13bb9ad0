/**
 * The figures of every listener for the time when it has more to do than it can (docs/architecture.md, "Who waits").
 * Beyond them the answer is 503 with Retry-After, or 429 for a share of one's own. Limits of requests per
 * time are in `http/limits.ts`.
 */
export const OVERLOAD = {
  /** Refused handshakes and closed sockets are cut after this time if the other side does not close. */
  refusedForMs: 5_000,
  /** The wait that a refused client is told. */
  retryAfterSeconds: 5,

  site: {
    /** Connections. Beyond the share of an address, requests are refused; trusted proxies have no share. */
    connections: { all: 8_000, perAddress: 500, refusedPerAddress: 50 },
    /** Reads of visitors without a session: they wait for everybody else, and addresses take turns. */
    reads: { turnMs: 1, waiting: 5_000, waitingPerAddress: 1_000, waitMs: 10_000 },
    /**
     * Calls that check or hash a proof of a person: two work at once, so that one is hashed while the rows of the next are
     * read. Their bodies are read before they wait.
     */
    signIns: {
      width: 2,
      waiting: 256,
      waitingPerAddress: 32,
      waitingPerAccount: 16,
      /** After this time a call loses its place to the next, but continues. */
      placeMs: 1_000,
      bodyMs: 10_000,
      bodyBytes: 65_536,
    },
    /** WebSockets on their way to the gateway. */
    sockets: { all: 10_000, perAddress: 100 },
  },

  gateway: {
    connections: { all: 10_000, perAddress: 500, refusedPerAddress: 50 },
    /** Sockets of browsers. Each has proved itself before it is opened. */
    sockets: { perUser: 10, perAddress: 100 },
    /** Agents that have not signed their challenge: those without proof in the handshake, and others of one node. */
    agents: { unproven: 64, unprovenPerAddress: 16, provenPerNode: 4 },
    /** Checks of agents' proofs, each a statement in the database. */
    agentProofs: { rate: 60, seconds: 60, burst: 60 },
  },

  agent: {
    connections: { all: 10_000, perAddress: 150, refusedPerAddress: 50 },
    sockets: {
      perServer: 30,
      perUserAndServer: 10,
      /** With proof, over all servers of the node. */
      perAddress: 100,
      /** With proof, before their `auth`. */
      silentPerUser: 10,
      /** Without proof, as older pages connect: places of their own, which nobody with proof needs. */
      unproven: 200,
      unprovenPerAddress: 30,
    },
    /** Handshakes for a server that the node does not know yet. */
    archives: {
      /** Each download reads the disk that running games write to. */
      atOnce: 4,
      perUser: 2,
      /** A client that reads nothing for this long is cut. */
      stalledMs: 60_000,
      /** A reader below this rate over the window makes room for somebody who waits, and may resume later. */
      leastBytesPerSecond: 64 * 1024,
      windowMs: 15_000,
      /** After this time a reader makes room for a user without a download. */
      turnMs: 600_000,
      /** How long a download that was cut can be resumed. */
      resumeMs: 3_600_000,
      retryAfterSeconds: 30,
    },
    /** Calls about files, downloads and uploads at once. A transfer counts as long as it runs. */
    files: {
      all: 256,
      perUser: 32,
      /** Small calls of one user. */
      calls: { rate: 600, seconds: 60, burst: 200 },
      /** A transfer that moves nothing for this long is cut. */
      stalledMs: 60_000,
      bodyMs: 7_000,
      bodyBytes: 8 * 1024 * 1024,
      /** Servers whose files are open at once, each with a process of its own; the one idle for longest makes room. */
      workers: 24,
      idleMs: 60_000,
      retryAfterSeconds: 5,
      /** Copies, archives, extractions, deletions and pulls. */
      jobs: {
        /** Jobs of the node at once; most deletions are over at once, so they have places of their own. */
        all: 4,
        deletions: 16,
        /** Jobs of one server, those that wait included. */
        perServer: 10,
        /** Ended ones that are still shown, and for how long. */
        kept: 200,
        keptMs: 3_600_000,
        /** A job that takes longer is cancelled. */
        lastMs: 2 * 3_600_000,
      },
      /** Unfinished uploads. Beyond those of a person the oldest is forgotten; beyond those of a server no more begin. */
      uploads: { perUser: 64, perServer: 256 },
      /** Downloads from the web: of the node at once, and of one person; the others wait. */
      pulls: {
        all: 4,
        perUser: 2,
        resolveMs: 3_000,
        headMs: 20_000,
        /** A source that sends less gives its place up. */
        slow: { leastBytes: 64 * 1024, windowMs: 60_000 },
      },
    },
    /** Connections by SFTP: of those that have not signed in, and of one person. */
    sftp: { unproven: 60, unprovenPerAddress: 12, proveMs: 30_000, perUser: 10, all: 400 },
    arriving: { waitMs: 10_000, perUser: 10, all: 500, unproven: 50, unprovenPerAddress: 10 },
  },
} as const

/** The shares of a listener's connections. */
export type ConnectionShares = { readonly all: number; readonly perAddress: number; readonly refusedPerAddress: number }
