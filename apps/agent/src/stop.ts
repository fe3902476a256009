/**
 * Why a build ends before its time. `cancel`: somebody stopped it. `timeout`: its time is up. `drop`: it is no longer ours, and
 * nothing may be reported of it.
 */
export class Stop extends Error {
  readonly why: 'cancel' | 'timeout' | 'drop'
  constructor(why: 'cancel' | 'timeout' | 'drop') {
    super(why)
    this.why = why
  }
}
