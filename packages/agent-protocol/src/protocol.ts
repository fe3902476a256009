/** The protocol's version, `major.minor`: a header of every call of a build agent, beside its credential. */
export const protocolHeader = 'x-gantry-agent-protocol'
export const protocolVersion = '2.5'

/** Step types that agents of the previous minor version do not know: such agents get no job with one of them. */
export const newSteps: { unknownTo: string; types: string[] } = { unknownTo: '2.4', types: ['helm', 'blueprint'] }

/**
 * Whether an agent and a server of these versions are compatible: same major number, and minor numbers at most one
 * apart. Agents of the first releases sent a single number.
 */
export function understands(server: string, agent: string): boolean {
  const [ours, theirs] = [server, agent].map((version) => /^(\d{1,4})\.(\d{1,4})$/.exec(version)?.slice(1).map(Number))
  return ours?.[0] === theirs?.[0] && Math.abs((ours?.[1] ?? NaN) - (theirs?.[1] ?? NaN)) <= 1
}

/** Which of the two has the lower minor number; null if they are equal, or one of them is unknown. */
export function older(server: string, agent: string): 'server' | 'agent' | null {
  const minorOf = (version: string): number => Number(/^\d{1,4}\.(\d{1,4})$/.exec(version)?.[1] ?? NaN)
  const [ours, theirs] = [minorOf(server), minorOf(agent)]
  return ours < theirs ? 'server' : ours > theirs ? 'agent' : null
}

/**
 * How long a job is leased, by the database's clock. Every call about a job names its `attempt` and renews the
 * lease; an agent calls at least every 15 s. When a lease expires, the job goes back into the queue with the next
 * attempt, and calls of an older attempt are refused with 409 `agents-attempt-over`: the agent then drops the job.
 */
export const leaseSeconds = 60

/**
 * Maximum length of a step's log: an agent ends it there with a line that says so, and the server refuses more with 413
 * `agents-log-too-long`. Lines are counted in 32 bits, so this stays below 2^31.
 */
export const stepLogBytes = 256 * 1024 * 1024
