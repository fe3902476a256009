import { createHmac } from 'node:crypto'
import { leaseSeconds } from '@gantry/agent-protocol/protocol'
import {
  everyRepository,
  type RegistryAction,
  type RegistryToken,
  teamPrefix,
} from '@gantry/contract/images/registry-token'
import { registriesOfStep } from '@gantry/contract/pipelines/steps/image'
import { type Definition, type Step, stepsOfDefinition } from '@gantry/contract/pipelines/definition'
import { parseImageRef } from '../../adapters/registry/image-ref.ts'
import type { Ctx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { isOthersProject } from '../harbor/public.ts'
import { sandboxRegistry } from './registries.store.ts'

/*
 * All teams share the sandbox's registry. A team's repositories begin with its prefix; calls on behalf of the team see
 * and change only these, by a token that lists them.
 */

type ImageStep = Extract<Step, { type: 'image' | 'copy' }>

/** What a step only reads from a registry. */
const readBy = (step: ImageStep, registryId: number | undefined): string[] => {
  if (step.type === 'copy') return step.fromRegistryId === registryId ? [repositoryOf(step.from)] : []
  return step.base === 'scratch' || step.registryId !== registryId ? [] : [repositoryOf(step.base)]
}

const repositoryOf = (reference: string): string => reference.split(/[:@]/, 1)[0] ?? ''

/** Signs a token that is valid for at most one lease, so that it ends with the build's right to it. */
function signed(ctx: Ctx, subject: string, access: RegistryToken['access']): string | undefined {
  const { sandboxRegistry: registry } = ctx.config
  if (registry === undefined) return undefined
  const token: RegistryToken = { subject, expires: Date.now() + leaseSeconds * 1000, access }
  const content = Buffer.from(JSON.stringify(token)).toString('base64url')
  return `${content}.${createHmac('sha256', registry.key).update(content).digest('base64url')}`
}

/** For calls of the server on behalf of a team, or (null) of an administrator, who sees all teams' repositories. */
export const teamToken = (ctx: Ctx, teamId: number | null, actions: RegistryAction[]): string | undefined =>
  teamId === null
    ? signed(ctx, 'platform', [{ repository: everyRepository, actions }])
    : signed(ctx, `team ${teamId}`, [{ repository: teamPrefix(teamId), actions }])

/** Pushed before teams had prefixes; definitions of that time may still use such an image as a base. */
const isOld = (repository: string): boolean => !/^team-\d+\//.test(repository)

/** For an image step of a build that the agent holds. */
export async function stepToken(
  ctx: Ctx,
  build: { id: number; teamId: number },
  step: ImageStep,
): Promise<string | undefined> {
  const registry = await sandboxRegistry(ctx.db)
  if (registry === undefined || !registriesOfStep(step).includes(registry.id)) return undefined
  const old: string[] = []
  for (const name of readBy(step, registry.id).filter(isOld))
    if (!(await isOthersProject(ctx, build.teamId, name))) old.push(name)
  return signed(ctx, `build ${build.id}`, [
    { repository: teamPrefix(build.teamId), actions: ['pull', 'push'] },
    ...old.map((repository) => ({ repository, actions: ['pull' as const] })),
  ])
}

/** A repository under the team's prefix, which definitions stored before teams had prefixes omit. */
export const inPrefix = (teamId: number, repository: string): string =>
  repository.startsWith(teamPrefix(teamId)) ? repository : teamPrefix(teamId) + repository

const outsidePrefix = (teamId: number, image: string): Fault =>
  new Fault('invalid', 'images-outside-prefix', { image, prefix: teamPrefix(teamId) })

/** Refuses a definition that pushes to, or builds on, other teams' repositories of the sandbox's registry. */
export async function refuseOthersRepositories(ctx: Ctx, teamId: number, definition: Definition): Promise<void> {
  const steps = stepsOfDefinition(definition).filter((step) => step.type === 'image' || step.type === 'copy')
  if (steps.length === 0) return
  const registry = await sandboxRegistry(ctx.db)
  for (const step of steps)
    for (const name of [...(step.registryId === registry?.id ? [step.repository] : []), ...readBy(step, registry?.id)])
      if (!name.startsWith(teamPrefix(teamId))) throw outsidePrefix(teamId, name)
}

/** Refuses a service with another team's image, because the sandbox's cluster would pull any. */
export async function refuseOthersImage(ctx: Ctx, teamId: number, image: string): Promise<void> {
  const reference = parseImageRef(image)
  const own = ctx.config.sandboxRegistry && new URL(ctx.config.sandboxRegistry.url)
  if (reference === undefined || own === undefined) return
  const [host = '', port] = reference.host.split(/:(?=\d+$)/)
  const isSandbox = port === own.port && /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(host)
  if (!isSandbox || reference.repository.startsWith(teamPrefix(teamId))) return
  if (!isOld(reference.repository) || (await isOthersProject(ctx, teamId, reference.repository)))
    throw outsidePrefix(teamId, reference.repository)
}
