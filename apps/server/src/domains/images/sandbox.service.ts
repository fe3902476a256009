import { createHmac } from 'node:crypto'
import { leaseSeconds } from '@gantry/agent-protocol/protocol'
import { type RegistryAction, type RegistryToken, teamPrefix } from '@gantry/contract/images/registry-token'
import { type Definition, type Step, stepsOfDefinition } from '@gantry/contract/pipelines/definition'
import { parseImageRef } from '../../adapters/registry/image-ref.ts'
import type { Ctx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { sandboxRegistry } from './registries.store.ts'

/*
 * The sandbox's registry is one for all teams. A team's repositories begin with its prefix; whoever acts for the team sees and changes
 * these alone, by a token that lists them.
 */

type ImageStep = Extract<Step, { type: 'image' }>

const repositoryOf = (reference: string): string => reference.split(/[:@]/, 1)[0] ?? ''

/** Valid for a lease at most: what a build was given ends with it. */
function signed(ctx: Ctx, subject: string, access: RegistryToken['access']): string | undefined {
  const { sandboxRegistry: registry } = ctx.config
  if (registry === undefined) return undefined
  const token: RegistryToken = { subject, expires: Date.now() + leaseSeconds * 1000, access }
  const content = Buffer.from(JSON.stringify(token)).toString('base64url')
  return `${content}.${createHmac('sha256', registry.key).update(content).digest('base64url')}`
}

/** For the server itself, when it acts for a team. */
export const teamToken = (ctx: Ctx, teamId: number, actions: RegistryAction[]): string | undefined =>
  signed(ctx, `team ${teamId}`, [{ repository: teamPrefix(teamId), actions }])

/** Pushed before teams had prefixes: of these a definition that is as old may still build on what it names. */
const isOld = (repository: string): boolean => !/^team-\d+\//.test(repository)

/** For the image step of a build, while an agent holds it. */
export async function stepToken(
  ctx: Ctx,
  build: { id: number; teamId: number },
  step: ImageStep,
): Promise<string | undefined> {
  if ((await sandboxRegistry(ctx.db))?.id !== step.registryId) return undefined
  const base = repositoryOf(step.base)
  return signed(ctx, `build ${build.id}`, [
    { repository: teamPrefix(build.teamId), actions: ['pull', 'push'] },
    ...(isOld(base) ? [{ repository: base, actions: ['pull' as const] }] : []),
  ])
}

/** Where an image of a team lies: definitions that were stored before teams had prefixes name it without. */
export const inPrefix = (teamId: number, repository: string): string =>
  repository.startsWith(teamPrefix(teamId)) ? repository : teamPrefix(teamId) + repository

const outside = (teamId: number, image: string): Fault =>
  new Fault('invalid', 'images-outside-prefix', { image, prefix: teamPrefix(teamId) })

/** What a definition pushes to the sandbox's registry, and builds on there, is the team's own. */
export async function refuseOthersRepositories(ctx: Ctx, teamId: number, definition: Definition): Promise<void> {
  const steps = stepsOfDefinition(definition).filter((step) => step.type === 'image')
  if (steps.length === 0) return
  const registry = await sandboxRegistry(ctx.db)
  for (const { registryId, repository, base } of steps) {
    if (registryId !== registry?.id) continue
    for (const name of base === 'scratch' ? [repository] : [repository, repositoryOf(base)])
      if (!name.startsWith(teamPrefix(teamId))) throw outside(teamId, name)
  }
}

/** A service runs no other team's image: the sandbox's cluster pulls whatever it is told to. */
export function refuseOthersImage(ctx: Ctx, teamId: number, image: string): void {
  const reference = parseImageRef(image)
  const own = ctx.config.sandboxRegistry && new URL(ctx.config.sandboxRegistry.url)
  if (reference === undefined || own === undefined) return
  const [host = '', port] = reference.host.split(/:(?=\d+$)/)
  const isSandbox = port === own.port && /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(host)
  if (isSandbox && !isOld(reference.repository) && !reference.repository.startsWith(teamPrefix(teamId)))
    throw outside(teamId, reference.repository)
}
