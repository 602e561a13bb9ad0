/** The Discord application of a demo (`src/server/demo-discord.ts`). Its secret protects nothing. */
export const DEMO_DISCORD = { clientId: 'bakter-demo', clientSecret: 'of-the-demo' } as const
