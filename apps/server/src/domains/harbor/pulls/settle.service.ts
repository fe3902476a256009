import { namespacesTopic } from '@gantry/contract/harbor/topics'
import type { RobotRight } from '../../../adapters/harbor/robots.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { publish } from '../../../kernel/events/events.ts'
import { Fault } from '../../../kernel/fault.ts'
import { reasonOf } from '../../../kernel/phrase.ts'
import type { Round } from '../../../kernel/reconcile.ts'
import { seal } from '../../../kernel/secrets/secrets.ts'
import { accessOf } from '../servers/servers.service.ts'
import { findHarbor, type StoredHarbor } from '../servers/servers.store.ts'
import {
  deletePull,
  dropRegistry,
  findPull,
  noteProblem,
  noteRobot,
  noteSettled,
  type Pull,
  putRegistry,
} from './pulls.store.ts'

/** Pause before a Harbor that refused is called again. */
const retryMs = 15_000

/** Unique among all installations that use this Harbor. */
const robotName = (installation: string, teamId: number): string => `gantry-${installation}-team-${teamId}`

const rightsOf = ({ projects }: Pull): RobotRight[] => projects.map((project) => ({ project, actions: ['pull'] }))

type Item = { harbor_id: number; team_id: number }

/**
 * Makes a team's robot in a Harbor match its projects there, and stores the registry by which its services pull with
 * the robot. Both exist while the team has a project, and are deleted with the last one.
 */
export async function reconcilePull(ctx: Ctx, item: Item, round: Round): Promise<number> {
  const { harbor_id: harborId, team_id: teamId } = item
  const [harbor, pull] = [await findHarbor(ctx.db, harborId), await findPull(ctx.db, harborId, teamId)]
  if (!harbor || !pull) return 0
  const notifyTeam = (ctx: Ctx) => publish(ctx, namespacesTopic, { teamId })
  try {
    if (pull.projects.length === 0) await withdraw(ctx, item, harbor, pull, round)
    else await grant(ctx, item, harbor, pull, round)
    await round.note(async (ctx) => {
      if (pull.projects.length > 0) await noteSettled(ctx.db, harborId, teamId, pull.wanted)
      else await deletePull(ctx.db, harborId, teamId)
      await notifyTeam(ctx)
    })
    return 0
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    await round.note(async (ctx) => {
      await noteProblem(ctx.db, harborId, teamId, reasonOf(error))
      await notifyTeam(ctx)
    })
    return retryMs
  }
}

async function withdraw(ctx: Ctx, item: Item, harbor: StoredHarbor, pull: Pull, round: Round): Promise<void> {
  // the registry first, so that nothing is pulled with a robot about to be deleted
  await round.note((ctx) => dropRegistry(ctx.db, item.harbor_id, item.team_id))
  if (pull.robotId !== null && pull.url === harbor.url && (await round.mayWrite()))
    await ctx.ports.harbor.removeRobot(accessOf(ctx, harbor), pull.robotId)
}

async function grant(ctx: Ctx, item: Item, harbor: StoredHarbor, pull: Pull, round: Round): Promise<void> {
  const { harbor_id: harborId, team_id: teamId } = item
  const access = accessOf(ctx, harbor)
  const { robotId, registryId } = pull
  if (!(await round.mayWrite())) return
  const kept = robotId !== null && registryId !== null && pull.url === harbor.url
  if (kept && (await ctx.ports.harbor.setRights(access, robotId, rightsOf(pull)))) return
  const robot = await ctx.ports.harbor.putRobot(access, robotName(installationOf(ctx), teamId), rightsOf(pull))
  await round.note(async (ctx) => {
    await noteRobot(ctx.db, harborId, teamId, robot.id, harbor.url)
    await putRegistry(ctx.db, {
      harborId,
      teamId,
      name: harbor.name,
      url: harbor.url,
      username: robot.name,
      password: seal(ctx, robot.secret),
    })
  })
}

/** The key's id distinguishes installations without revealing the key. */
const installationOf = ({ keys }: Ctx): string => [...keys.byId.keys()].at(-1) ?? keys.current
