import { stacks } from '@gantry/contract/stacks/stacks'
import type { Routes } from '../../http/route.ts'
import type { Ctx } from '../../kernel/context.ts'
import { type Page, page } from '../../kernel/paging.ts'
import { changeStack, createStack, getStack, removeStack, setStackQuota, shownStack } from './stacks.service.ts'
import { listStacks } from './stacks.store.ts'
import { stackYaml } from './yaml.read.ts'

async function shownList(ctx: Ctx, teamId: number, filter: Parameters<typeof listStacks>[2], at: Page) {
  const list = await listStacks(ctx.db, teamId, filter, at)
  return { ...list, items: await Promise.all(list.items.map((row) => shownStack(ctx, row))) }
}

export const routes: Routes = (route) => {
  route(stacks.list, (ctx, { params, query }) =>
    shownList(
      ctx,
      params.teamId,
      {
        keyword: query.search ?? query.keyword ?? '',
        ...(params.envId === 'all' ? {} : { environment: params.envId }),
      },
      page(query),
    ),
  )
  route(stacks.ofProduct, (ctx, { params, query }) =>
    shownList(ctx, params.team, { keyword: query.keyword ?? '', productId: params.productId }, page(query)),
  )
  route(stacks.create, (ctx, { params, body }) => createStack(ctx, params.teamId, body))
  route(stacks.get, async (ctx, { params }) =>
    shownStack(ctx, await getStack(ctx, params.teamId, params.stackId, params.envId)),
  )
  route(stacks.update, (ctx, { params, body }) => changeStack(ctx, params.teamId, params.stackId, body))
  route(stacks.remove, (ctx, { params, query }) =>
    removeStack(ctx, params.teamId, params.envId, params.stackId, query.deleteFore === 'true'),
  )
  route(stacks.setQuota, (ctx, { params, body }) =>
    setStackQuota(ctx, params.teamId, params.envId, params.stackName, body),
  )
  route(stacks.yaml, (ctx, { params }) => stackYaml(ctx, params.id))
}
