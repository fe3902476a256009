/** The protocol's version, sent with every call of a build agent, beside its credential. */
export const protocolHeader = 'x-gantry-agent-protocol'
export const protocolVersion = '1'

/**
 * How long a build is leased, by the database's clock. Every call about a build names its `attempt` and renews the
 * lease; an agent calls at least every 15 s. When a lease expires, the build goes back into the queue with the next
 * attempt, and calls of an older attempt are refused with 409 `agents-attempt-over`: the agent then drops the build.
 */
export const leaseSeconds = 60

/**
 * Maximum length of a step's log: an agent ends it there, with a line that says so, and more is refused with 413
 * `agents-log-too-long`. Lines are counted in 32 bits, so this stays below 2^31.
 */
export const stepLogBytes = 256 * 1024 * 1024
