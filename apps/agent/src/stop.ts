/**
 * Why a build ends early. `cancel`: somebody stopped it. `timeout`: its time is over. `drop`: it no longer belongs to
 * this agent, and nothing may be reported about it.
 */
export class Stop extends Error {
  readonly why: 'cancel' | 'timeout' | 'drop'
  constructor(why: 'cancel' | 'timeout' | 'drop') {
    super(why)
    this.why = why
  }
}
