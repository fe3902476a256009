import { Readable } from 'node:stream'
import { endpoint } from '@gantry/contract/endpoint'
import { id } from '@gantry/contract/ids'
import { listOf, listQuery } from '@gantry/contract/paging'
import { sql } from 'kysely'
import { z } from 'zod'
import type { AppOptions } from '../src/app.ts'
import { stream } from '../src/http/reply.ts'
import type { Routes } from '../src/http/route.ts'
import type { Owner } from '../src/http/server.ts'
import { note } from '../src/kernel/audit.ts'
import { Fault } from '../src/kernel/fault.ts'
import { toList, page } from '../src/kernel/paging.ts'

/** Endpoints with every kind of access and shape, for the tests of the http layer. */
export const samples = {
  echo: endpoint({
    method: 'POST',
    path: '/api/sample/echo',
    access: 'public',
    audit: 'sample.echo',
    summary: 'Answers its body',
    body: z.strictObject({ name: z.string().min(1).max(20), more: z.unknown().optional() }),
    data: z.object({ name: z.string() }),
    topics: [],
  }),
  login: endpoint({
    method: 'POST',
    path: '/api/sample/login',
    access: 'public',
    audit: 'sample.login',
    summary: 'Takes little',
    body: z.strictObject({ userName: z.string().max(254), password: z.string().max(100) }),
    data: z.null(),
    topics: [],
  }),
  lists: endpoint({
    method: 'POST',
    path: '/api/sample/lists',
    access: 'public',
    audit: 'sample.lists',
    summary: 'Takes lists in lists',
    body: z.strictObject({
      things: z
        .array(z.strictObject({ name: z.string().max(20), parts: z.array(z.number()).max(5_000) }))
        .max(5_000, 'list-too-long'),
    }),
    data: z.null(),
    topics: [],
  }),
  primitive: endpoint({
    method: 'PUT',
    path: '/api/sample/primitive',
    access: 'public',
    audit: 'sample.primitive',
    summary: 'Takes a bare value',
    body: z.union([z.string(), z.number(), z.array(z.number())]),
    data: z.unknown(),
    topics: [],
  }),
  bodiless: endpoint({
    method: 'POST',
    path: '/api/sample/bodiless',
    access: 'public',
    audit: 'sample.bodiless',
    summary: 'Takes nothing',
    data: z.null(),
    topics: [],
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/sample/list',
    access: 'user',
    summary: 'A list of 3000',
    query: listQuery(),
    data: listOf(z.number()),
  }),
  whoami: endpoint({
    method: 'GET',
    path: '/api/sample/whoami',
    access: 'user',
    forTokens: true,
    summary: 'Tells what the context says',
    data: z.object({ id: z.number(), ip: z.string(), tenant: z.number().nullable() }),
  }),
  admin: endpoint({
    method: 'GET',
    path: '/api/sample/admin',
    access: 'admin',
    summary: 'For administrators',
    data: z.null(),
  }),
  system: endpoint({
    method: 'GET',
    path: '/api/sample/system',
    access: { system: 'system_thing_view' },
    summary: 'For administrators and a system role',
    data: z.null(),
  }),
  password: endpoint({
    method: 'POST',
    path: '/api/sample/password',
    access: 'user',
    audit: 'sample.password',
    summary: 'What a new user must do first',
    data: z.null(),
    beforePasswordChange: true,
    topics: [],
  }),
  team: endpoint({
    method: 'GET',
    path: '/api/sample/teams/:teamId',
    access: { team: 'teamId' },
    summary: 'For members',
    params: z.strictObject({ teamId: id }),
    data: z.object({ teamId: z.number() }),
  }),
  inTeam: endpoint({
    method: 'POST',
    path: '/api/sample/teams/:teamId/things',
    access: { team: 'teamId', permission: 'sample_thing_create' },
    audit: 'thing.create',
    summary: 'For members with a permission',
    params: z.strictObject({ teamId: id }),
    body: z.strictObject({ name: z.string().min(1), password: z.string().optional() }),
    data: z.object({ name: z.string() }),
    topics: [],
  }),
  owned: endpoint({
    method: 'GET',
    path: '/api/sample/things/:id',
    access: { owner: 'sample-thing', by: 'id', permission: 'sample_thing_view' },
    summary: 'For members of the team that has it',
    params: z.strictObject({ id }),
    data: z.object({ id: z.number() }),
  }),
  ownedInBody: endpoint({
    method: 'POST',
    path: '/api/sample/things',
    access: { owner: 'sample-thing', by: 'id', in: 'body', permission: 'sample_thing_view' },
    audit: 'thing.copy',
    summary: 'For members of the team that has what the body names',
    body: z.strictObject({ id, names: z.array(z.string().min(1)).max(20) }).refine(() => true),
    data: z.object({ id: z.number() }),
    topics: [],
  }),
  shared: endpoint({
    method: 'GET',
    path: '/api/sample/shared/:id',
    access: { owner: 'shared-thing', by: 'id', permission: 'sample_thing_view' },
    summary: 'For members of the teams that share it',
    params: z.strictObject({ id: z.string().regex(/^(every|none|\d+(-\d+)*)$/) }),
    data: z.object({ id: z.string() }),
  }),
  changing: endpoint({
    method: 'GET',
    path: '/api/sample/changing',
    access: 'user',
    audit: 'sample.change',
    summary: 'A GET that changes something',
    data: z.null(),
    topics: [],
  }),
  download: endpoint({
    method: 'GET',
    path: '/api/sample/download',
    access: 'user',
    summary: 'A stream',
    stream: 'text/plain; charset=utf-8',
    data: z.unknown(),
  }),
  failingDownload: endpoint({
    method: 'GET',
    path: '/api/sample/failing-download',
    access: 'user',
    summary: 'A stream that has nothing to send and fails',
    stream: 'text/plain; charset=utf-8',
    data: z.unknown(),
  }),
  upload: endpoint({
    method: 'POST',
    path: '/api/sample/upload',
    access: 'public',
    audit: 'sample.upload',
    summary: 'Counts the bytes that it is sent',
    upload: 3_000_000,
    data: z.number(),
    topics: [],
  }),
  agent: endpoint({
    method: 'POST',
    path: '/api/sample/agent',
    access: 'agent',
    audit: 'sample.agent',
    summary: 'For agents',
    data: z.null(),
    topics: [],
  }),
  crash: endpoint({ method: 'GET', path: '/api/sample/crash', access: 'public', summary: 'Throws', data: z.null() }),
  misshapen: endpoint({
    method: 'GET',
    path: '/api/sample/misshapen',
    access: 'public',
    summary: 'Answers another shape than it says',
    data: z.object({ name: z.string() }),
  }),
  slow: endpoint({
    method: 'GET',
    path: '/api/sample/slow',
    access: 'public',
    summary: 'Asks the database too much',
    data: z.null(),
  }),
}

const routes: Routes = (route) => {
  route(samples.echo, (_ctx, { body }) => ({ name: body.name, undeclared: 'never leaves' }))
  route(samples.login, () => null)
  route(samples.lists, () => null)
  route(samples.primitive, (_ctx, { body }) => body)
  route(samples.bodiless, () => null)
  route(samples.list, (_ctx, { query }) => {
    const at = page(query)
    const rows = Array.from({ length: 3_000 }, (_, index) => index)
    return toList(rows.slice(at.offset, at.offset + at.limit), rows.length, at)
  })
  route(samples.whoami, (ctx) => ({ id: ctx.actor.id, ip: ctx.ip, tenant: ctx.tenantId ?? null }))
  route(samples.admin, () => null)
  route(samples.system, () => null)
  route(samples.password, () => null)
  route(samples.team, (ctx) => ({ teamId: ctx.teamId ?? 0 }))
  route(samples.inTeam, (ctx, { body }) => {
    note(ctx, { object: body.name, after: body })
    return body
  })
  route(samples.owned, (_ctx, { params }) => ({ id: params.id }))
  route(samples.ownedInBody, (_ctx, { body }) => ({ id: body.id }))
  route(samples.changing, () => null)
  route(samples.download, () => stream(Readable.from(['one\n', 'two\n'])))
  route(samples.failingDownload, () =>
    stream(
      new Readable({
        read() {
          this.destroy(new Fault('missing', 'resource-missing'))
        },
      }),
    ),
  )
  route(samples.upload, async (_ctx, { upload }) => {
    let size = 0
    for await (const chunk of upload) size += (chunk as Buffer).length
    return size
  })
  route(samples.shared, (_ctx, { params }) => ({ id: params.id }))
  route(samples.agent, () => null)
  route(samples.crash, () => {
    throw new Error('no phrase for this')
  })
  route(samples.misshapen, () => ({ name: 1 }) as never)
  route(samples.slow, async (ctx) => {
    await ctx.db.transaction().execute(async (tx) => {
      await sql`set local statement_timeout = 20`.execute(tx)
      await sql`select pg_sleep(5)`.execute(tx)
    })
    return null
  })
}

/** Things 1 to 999 belong to the team with the same number. */
const owner: Owner = {
  kind: 'sample-thing',
  teamOf: async (_db, text) => (Number(text) < 1_000 ? Number(text) : undefined),
}

/** A thing that belongs to the teams in its id, `1-2`, or to every team. */
const sharedBy: Owner = {
  kind: 'shared-thing',
  teamsOf: async (_db, text) =>
    text === 'every' ? text : text === 'none' ? undefined : text.split('-').map((team) => Number(team)),
}

export const sampleCalls = {
  endpoints: Object.values(samples),
  routes,
  owners: [owner, sharedBy],
} satisfies AppOptions['more']
