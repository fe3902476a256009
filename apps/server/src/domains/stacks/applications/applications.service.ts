import { servicesOfEach, serviceSorts, type Application } from '@gantry/contract/stacks/applications'
import type { List } from '@gantry/contract/paging'
import type { ServiceSummary } from '@gantry/contract/stacks/services'
import type { ServiceType } from '@gantry/contract/stacks/spec'
import { type ServiceState, serviceStateGroups, type StackState } from '@gantry/contract/stacks/states'
import { sorting } from '../../../db/list.ts'
import { holds } from '../../../identity/access.ts'
import type { Ctx } from '../../../kernel/context.ts'
import type { Page } from '../../../kernel/paging.ts'
import { summaries } from '../services/live.service.ts'
import { isOfKind, listServicesOfTeam, servicesOfStacks } from '../services/services.store.ts'
import { shownStacks } from '../stacks/stacks.service.ts'
import { listStacks, type StackRow } from '../stacks/stacks.store.ts'

interface Filter {
  environment?: string
  productId?: number
  keyword: string
  type?: ServiceType
  osType?: 'linux' | 'windows'
}

/** Stacks with their services, with one read of each cluster from memory, and as many statements for any number of both. */
export async function applicationsOf(
  ctx: Ctx,
  teamId: number,
  filter: Filter & { state?: StackState },
  at: Page,
): Promise<List<Application>> {
  const { type, osType, ...narrowed } = filter
  const having = type === undefined && osType === undefined ? {} : { having: isOfKind(filter) }
  const [list, mayView] = await Promise.all([
    listStacks(ctx.db, teamId, { ...narrowed, ...having, orService: true }, at),
    holds(ctx, teamId, 'stack_service_view'),
  ])
  const rows = list.items
  const [stacks, services] = await Promise.all([shownStacks(ctx, rows), mayView ? firstServices(ctx, rows) : undefined])
  const ofStack = services && Map.groupBy(services, ({ stackId }) => stackId)
  return {
    ...list,
    items: stacks.map((stack) => ({ ...stack, services: ofStack ? (ofStack.get(stack.id) ?? []) : null })),
  }
}

const firstServices = async (ctx: Ctx, stacks: readonly StackRow[]): Promise<ServiceSummary[]> =>
  summaries(
    ctx,
    stacks,
    await servicesOfStacks(
      ctx.db,
      stacks.map(({ id }) => id),
      servicesOfEach,
    ),
  )

const isGroup = (state: string): state is keyof typeof serviceStateGroups => Object.hasOwn(serviceStateGroups, state)

/** The services of a team in all its stacks. */
export async function teamServices(
  ctx: Ctx,
  teamId: number,
  { state, ...filter }: Filter & { state: ServiceState | keyof typeof serviceStateGroups | 'all' },
  sort: string | undefined,
  at: Page,
): Promise<List<ServiceSummary>> {
  const states = isGroup(state) ? serviceStateGroups[state] : state === 'all' ? undefined : [state]
  const order = sorting(sort, serviceSorts)
  const list = await listServicesOfTeam(ctx.db, teamId, { ...filter, ...(states && { states }) }, order, at)
  const stacks = list.items.map(({ stack }) => stack)
  const services = list.items.map(({ service }) => service)
  return { ...list, items: await summaries(ctx, stacks, services) }
}
