import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { agents } from '@gantry/contract/agents/agents'
import { runningUrl } from '@gantry/postgres/cluster'
import { eventually } from '@gantry/waiting/eventually'
import pg from 'pg'
import { z } from 'zod'
import { agentProcess, type AgentProcess } from '../apps/agent/test/agent-process.ts'
import { patient } from './builds.ts'
import type { Product } from './product.ts'
import type { Place } from './scenario-suite.ts'

/** Agents for a single scenario: its jobs require the agents' names as labels. */
export const OwnAgents = z.record(
  z.string(),
  z.strictObject({
    /** An act starts it; it is not running before the build. */
    later: z.boolean().default(false),
    /** The number of jobs that it runs at a time. */
    capacity: z.number().int().default(2),
    /** It speaks the previous version of the protocol. */
    older: z.boolean().default(false),
  }),
)

export interface Agents {
  start: (name: string) => Promise<void>
  /** Kills an agent without notice; processes of its steps continue. */
  kill: (name: string) => Promise<void>
  /** Expires the leases of a build now, so that no test waits for the minute that they last. */
  expire: (buildId: number) => Promise<void>
  /** Resolves once no running agent has anything left of a build. */
  empty: () => Promise<void>
  close: () => Promise<void>
}

const olderProgram = join(import.meta.dirname, 'older-agent.ts')

/** Each agent has its own user ids for its steps, different from those of other agents and of the product's own. */
let nextUid = 62_000

export function agentsOf(
  { admin, url, data }: Product,
  { executor, agent: environment, address }: Pick<Place, 'executor' | 'agent' | 'address'>,
  { label, teamId, own }: { label: string; teamId: number; own: z.infer<typeof OwnAgents> },
): Agents {
  const started = new Map<string, AgentProcess>()
  const dead = new Set<string>()
  const of = (name: string): AgentProcess => {
    const agent = started.get(name)
    if (agent === undefined) throw new Error(`the agent ${name} was not started`)
    return agent
  }
  return {
    async start(name) {
      const before = started.get(name)
      dead.delete(name)
      if (before) return before.start()
      const { capacity = 2, older = false } = own[name] ?? {}
      const body = { name: `${label}.${name}`, labels: [label], teamId, capacity }
      const { token } = await admin.call(agents.create, { body })
      const env = {
        GANTRY_AGENT_TOKEN: token,
        GANTRY_AGENT_CAPACITY: String(capacity),
        GANTRY_AGENT_FIRST_UID: String((nextUid += 10)),
        ...environment,
      }
      const as = older ? { program: olderProgram } : {}
      started.set(name, await agentProcess((await address?.(url)) ?? url, env, undefined, as))
    },
    async kill(name) {
      dead.add(name)
      await of(name).kill('SIGKILL')
    },
    async expire(buildId) {
      const database = await runningUrl(join(data, 'postgres'))
      const client = new pg.Client({ connectionString: database?.('gantry') })
      await client.connect()
      try {
        await client.query(
          `update build_job set lease_until = now() - interval '1 second' where build_id = $1 and state = 'building'`,
          [buildId],
        )
      } finally {
        await client.end()
      }
    },
    async empty() {
      // the pods of jobs have no folder here
      if (executor === 'kubernetes') return
      for (const [name, agent] of started)
        if (!dead.has(name))
          await eventually(
            () => readdirSync(join(agent.dir, 'builds')),
            (rooms) => rooms.length === 0,
            patient,
          )
    },
    async close() {
      for (const agent of started.values()) await agent.close()
    },
  }
}
