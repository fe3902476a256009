import type { ReadStream } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { protocolVersion, understands } from '@gantry/agent-protocol/protocol'
import type { Registration } from '@gantry/contract/agents/agents'
import { ownOrigin } from '../../config.ts'
import { brokenConstraint } from '../../db/constraint.ts'
import { hashToken, newToken } from '../../identity/sessions.ts'
import { note } from '../../kernel/audit.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { clusterMissing, lockedAgent, teamMissing } from './agents.service.ts'
import { lockRegistration, putAgent, putRegistration, setCredential } from './agents.store.ts'
import { waysToStart } from './ways.ts'

interface Agent {
  name: string
  labels: string[]
  capacity: number
  osType: string
  teamId: number | null
  environment: string | null
}

export async function addAgent(ctx: Ctx, given: Agent): Promise<Registration> {
  const agent = { ...given, labels: [...new Set(given.labels)] }
  const ca = await authorityOf(ctx)
  return inTx(ctx, async (ctx) => {
    note(ctx, { object: agent.name, after: agent })
    const id = await putAgent(ctx.db, agent)
      .catch(brokenConstraint('agent_name', new Fault('conflict', 'agents-name-taken', { name: agent.name })))
      .catch(teamMissing())
      .catch(clusterMissing())
    return register(ctx, { id, ...agent }, ca)
  })
}

/** Revokes the agent's credential and returns a new one-time token. */
export async function renewToken(ctx: Ctx, id: number): Promise<Registration> {
  const ca = await authorityOf(ctx)
  return inTx(ctx, async (ctx) => {
    const agent = await lockedAgent(ctx, id)
    if (agent.embedded) throw new Fault('conflict', 'agents-renew-embedded', { name: agent.name })
    return register(ctx, agent, ca)
  })
}

type Named = Pick<Agent, 'name' | 'capacity' | 'osType'> & { id: number }

async function register(
  ctx: Ctx,
  { id, name, capacity, osType }: Named,
  ca: string | undefined,
): Promise<Registration> {
  const token = newToken('registration')
  ctx.told.add(token)
  const until = await putRegistration(ctx.db, id, hashToken(token))
  const { image } = ctx.config.buildAgent
  const ways = waysToStart({ name, capacity, osType, token, image, ca, server: ownOrigin(ctx.config) })
  return { id, name, token, until, ways }
}

const authorityOf = async ({ config: { caFile } }: Ctx): Promise<string | undefined> =>
  caFile === undefined ? undefined : readFile(caFile, 'utf8')

/** The agent's program, a single file. It is missing only where the server was not built completely. */
export async function programOf({ config, log }: Ctx): Promise<ReadStream> {
  try {
    return (await open(config.buildAgent.program)).createReadStream()
  } catch (error) {
    log.error({ err: error }, 'the program of the build agent cannot be read')
    throw new Fault('unavailable', 'agents-file-missing')
  }
}

/** Called before the agent is authenticated, so that an outdated one learns what to update. */
export function mustUnderstand(agent: string): void {
  if (understands(protocolVersion, agent)) return
  throw new Fault('invalid', 'agents-protocol', { server: protocolVersion, agent: agent.slice(0, 20) || '–' })
}

/** Repeatable: an agent whose answer was lost calls again with the credential that it made. */
export const exchangeToken = (
  ctx: Ctx,
  token: string,
  credential: string,
): Promise<{ name: string; capacity: number }> =>
  inTx(ctx, async (ctx) => {
    const agent = await lockRegistration(ctx.db, hashToken(token))
    if (!agent) throw new Fault('forbidden', 'agents-token-unknown')
    const { id, name, capacity, tokenHash, inTime } = agent
    note(ctx, { object: name })
    const hash = hashToken(credential)
    if (tokenHash?.equals(hash)) return { name, capacity }
    if (tokenHash) throw new Fault('conflict', 'agents-token-used', { name })
    if (!inTime) throw new Fault('forbidden', 'agents-token-over', { name })
    await setCredential(ctx.db, id, hash)
    return { name, capacity }
  })
