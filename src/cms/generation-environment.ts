/** Imported first by the generators: Payload reads these while its own modules load. */
process.env.DISABLE_PAYLOAD_HMR = 'true'
process.env.PAYLOAD_DISABLE_DEPENDENCY_CHECKER = 'true'
