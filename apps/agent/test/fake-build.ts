import type { AgentEvent } from '@gantry/contract/agents/events'
import { Work } from '@gantry/contract/agents/work'
import type { z } from 'zod'

type End = Extract<AgentEvent, { type: 'end' }>

export interface Refuse {
  status: number
  key: string
}

export interface FakeBuild {
  work: z.output<typeof Work>
  events: AgentEvent[]
  logs: Map<number, Buffer[]>
  log: (step: number) => string
  artifacts: Map<string, Buffer>
  reports: Map<string, Buffer>
  deployCalls: number
  cancelled: boolean
  /** Lower attempts are refused. */
  attempt: number
  /** The archive of the files that it passes on. */
  handed: Buffer | undefined
  claimedAt: number
  ended: Promise<End>
  end: (event: End) => void
  firstLogAt: number | undefined
}

export class Refused extends Error {
  readonly refuse: Refuse
  readonly data: unknown
  constructor(status: number, key: string, data: unknown = null) {
    super(key)
    this.refuse = { status, key }
    this.data = data
  }
}

export function fakeBuild(given: z.input<typeof Work>): FakeBuild {
  const work = Work.parse(given)
  let end: FakeBuild['end'] = () => {}
  const ended = new Promise<End>((done) => (end = done))
  const build: FakeBuild = {
    work,
    events: [],
    logs: new Map(),
    log: (step) => Buffer.concat(build.logs.get(step) ?? []).toString('utf8'),
    artifacts: new Map(),
    reports: new Map(),
    deployCalls: 0,
    cancelled: false,
    attempt: work.attempt,
    handed: undefined,
    claimedAt: 0,
    ended,
    end,
    firstLogAt: undefined,
  }
  return build
}
