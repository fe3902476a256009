import { servicesOfEach, serviceSorts, type Application } from '@gantry/contract/stacks/applications'
import type { List } from '@gantry/contract/paging'
import type { ServiceSummary } from '@gantry/contract/stacks/services'
import type { Stack } from '@gantry/contract/stacks/stacks'
import type { ServiceType } from '@gantry/contract/stacks/spec'
import { type ServiceState, serviceStateGroups, type StackState } from '@gantry/contract/stacks/states'
import { sorting } from '../../../db/list.ts'
import { holds } from '../../../identity/access.ts'
import type { Ctx } from '../../../kernel/context.ts'
import type { Page } from '../../../kernel/paging.ts'
import { summaries } from '../services/live.service.ts'
import { isOfKind, listServicesOfTeam, servicesOfStacks } from '../services/services.store.ts'
import { shownStacks } from '../stacks/stacks.service.ts'
import { findStacks, listStacks } from '../stacks/stacks.store.ts'

interface Filter {
  environment?: string
  productId?: number
  keyword: string
  type?: ServiceType
  osType?: 'linux' | 'windows'
}

/** Stacks with their services, with three statements and one read from memory for each namespace. */
export async function applicationsOf(
  ctx: Ctx,
  teamId: number,
  filter: Filter & { state?: StackState },
  at: Page,
): Promise<List<Application>> {
  const { type, osType, ...narrowed } = filter
  const having = type === undefined && osType === undefined ? {} : { having: isOfKind(filter) }
  const list = await listStacks(ctx.db, teamId, { ...narrowed, ...having, orService: true }, at)
  const services = (await holds(ctx, teamId, 'stack_service_view'))
    ? await servicesOfStacks(
        ctx.db,
        list.items.map(({ id }) => id),
        servicesOfEach,
      )
    : undefined
  const stacks = await shownStacks(ctx, list.items)
  const items = list.items.map(async (row, index) => ({
    ...(stacks[index] as Stack),
    services: services ? await summaries(ctx, row, services.get(row.id) ?? []) : null,
  }))
  return { ...list, items: await Promise.all(items) }
}

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
  const ofStack = Map.groupBy(list.items, ({ stackId }) => stackId)
  const stacks = await findStacks(ctx.db, [...ofStack.keys()])
  const summarized = await Promise.all(stacks.map((stack) => summaries(ctx, stack, ofStack.get(stack.id) ?? [])))
  const byId = new Map(summarized.flat().map((service) => [service.id, service]))
  return { ...list, items: list.items.flatMap(({ id }) => byId.get(id) ?? []) }
}
