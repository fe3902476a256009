import { join } from 'node:path'
import { audit } from '@gantry/contract/audit/audit'
import type { CallInput } from '@gantry/contract/endpoint'
import { runningUrl } from '@gantry/postgres/cluster'
import pg from 'pg'
import type { Product } from '../e2e/product.ts'
import { figure, ms, repeat } from './figures.ts'

const total = 5_000_000

const indexes = `select indexdef, indexname from pg_indexes where tablename = 'audit_log' and indexname <> 'audit_log_pkey'`

/**
 * A year of an installation with 2,000 users and 50 teams: a few users, teams and actions make most calls, four in a
 * hundred calls are refused. One user and one object occur in the oldest month only.
 */
const rows = `
  with shape as (
    select array['session.login', 'build.trigger', 'pipeline.set-orchestration', 'service.upgrade', 'service.act', 'container.act',
        'container.terminal', 'stack.update', 'ticket.create', 'user.update', 'registry.verify', 'pipeline-group.create', 'role.update',
        'product.update', 'quota.set', 'mail.test'] as actions,
      array['/api/users/login', '/api/v2/pipelines/%s/trigger', '/api/projects/7/pipelines/%s/orchestration',
        '/orchestration/api/12/stack/%s/service/web-%s', '/orchestration/api/12/stack/5/service/%s?action=scale&replicas=3',
        '/orchestration/api/12/env/3f2504e0-4f89-41d3-9a0c-0305e82c3301/stack/shop-%s/container/web-1?action=restart',
        '/orchestration/api/terminals/%s', '/orchestration/api/12/stack/%s', '/api/tickets', '/api/users/%s', '/api/registries/verification',
        '/api/tenants/12/groups', '/api/tenants/12/roles/%s', '/orchestration/api/12/application/%s',
        '/resource-manager/api/quotas/tenants/%s', '/api/system/mailserver/test?mail=a%s@example.test'] as urls,
      array['user-team', 'permission-missing', 'resource-missing', 'login-refused', 'request-invalid', 'session-over',
        'changed-meanwhile', 'name-taken'] as messages
  ), n as (
    select n, 1 + floor(16 * power(random(), 2))::int as a, case when n < 400000 and n % 4 = 0 then 7777 else 1 + floor(2000 * power(random(), 3))::int end as u,
      1 + floor(50 * power(random(), 2))::int as t, floor(power(random(), 2) * 40000)::int as o, random() < 0.04 as bad,
      1 + floor(8 * power(random(), 2))::int as m
    from generate_series(1, ${total}) n
  )
  insert into audit_log (started_at, duration_ms, actor_kind, actor_id, actor_name, team_id, action, method, url, object, status, message, ip, request_id, detail)
  select now() - make_interval(secs => (${total} - n.n) * 6.3), (random() * 200)::int, 'user', 1000 + u, 'user-' || u,
    case when a in (1, 9) then null else (select min(id) from team where name = 'bench-' || t) end, actions[a], 'POST',
    format(replace(urls[a], '%s', '%1$s'), o),
    case when a = 9 then '' when n.n = 1000 then 'the only one of its name' else (array['shop', 'billing', 'search', 'checkout', '金融'])[1 + o % 5] || '-' || o end,
    case when bad then 403 else 200 end, case when bad then messages[m] else '' end, '10.0.' || u % 200 || '.' || o % 250, gen_random_uuid()::text,
    case when a in (3, 4, 8) then jsonb_build_object('before', jsonb_build_object('replicas', o % 7), 'after', jsonb_build_object('replicas', o % 5)) end
  from n, shape`

async function generate(client: pg.Client): Promise<void> {
  await client.query(`insert into team (name) select 'bench-' || n from generate_series(1, 50) n`)
  const { rows: known } = await client.query<{ indexdef: string; indexname: string }>(indexes)
  for (const { indexname } of known) await client.query(`drop index ${indexname}`)
  await client.query(rows)
  for (const { indexdef } of known) await client.query(indexdef)
  await client.query('vacuum analyze audit_log')
}

type Query = NonNullable<CallInput<typeof audit.search>['query']>

const day = 24 * 3_600_000

/** First pages: each filter alone (frequent, rare, no matches), filters together, short texts, ranges. */
const searches = (): [string, Query][] => {
  const now = Date.now()
  return [
    ['no filter', {}],
    ['page 200', { page: 200 }],
    ['result: refused', { result: '0' }],
    ['result: done', { result: '1' }],
    ['user: frequent', { userId: 1001 }],
    ['user: rare', { userId: 2900 }],
    ['user: 100,000 rows, all eleven months old', { userId: 8777 }],
    ['user: none', { userId: 999_999 }],
    ['team: frequent', { teamName: 'bench-1' }],
    ['team: one', { teamName: 'bench-50' }],
    ['team: none', { teamName: 'no such team' }],
    ['action: frequent', { apiValue: 'session.login' }],
    ['action: rare', { apiValue: 'mail.test' }],
    ['action: none', { apiValue: 'nothing.at-all' }],
    ['message: frequent', { msg: 'user-team' }],
    ['message: in words', { msg: 'not a member' }],
    ['message: an object, rare', { msg: 'shop-12345' }],
    ['message: an object, the only one', { msg: 'the only one' }],
    ['message: Chinese', { msg: '金融-1234' }],
    ['message: none', { msg: 'zzzqqq' }],
    ['url: nearly all', { url: '/api/' }],
    ['url: frequent', { url: 'pipelines' }],
    ['url: rare', { url: 'pipelines/12345/' }],
    ['url: none', { url: 'zzzqqq' }],
    ['url: none, of parts that are frequent', { url: 'pipelines/users' }],
    ['keyword: frequent', { keyword: 'user-1' }],
    ['keyword: rare', { keyword: 'checkout-3333' }],
    ['keyword: none', { keyword: 'zzzqqq' }],
    ['one character', { url: 'q' }],
    ['two characters, none', { url: 'zq' }],
    ['a day, eleven months ago', { startTime: now - 331 * day, endTime: now - 330 * day }],
    ['eleven months ago and url', { endTime: now - 330 * day, url: 'pipelines/777' }],
    ['user, action and refused', { userId: 1001, apiValue: 'build.trigger', result: '0' }],
    ['user, url and object', { userId: 1003, url: 'pipelines', msg: '金融-1' }],
    ['team, refused, url: none', { teamName: 'bench-3', result: '0', url: 'terminals/zz' }],
    ['oldest first', { sort: 'startTime' }],
  ]
}

/** 5,000,000 rows: the first page of any search, and the time to write a row with its indexes. */
export async function benchAudit({ admin, data }: Product): Promise<void> {
  const database = await runningUrl(join(data, 'postgres'))
  if (!database) throw new Error('the embedded database does not run')
  const client = new pg.Client({ connectionString: database('gantry') })
  await client.connect()
  try {
    await generate(client)
    for (const [name, query] of searches()) {
      const once = async () => {
        const started = performance.now()
        await admin.call(audit.search, { query })
        return performance.now() - started
      }
      await once()
      figure(`audit, ${name}`, await repeat(7, once), ms, '< 150 ms')
    }
    const insert = `insert into audit_log (duration_ms, actor_kind, actor_id, actor_name, team_id, action, method, url, object, status, ip, request_id)
      values (5, 'user', 1001, 'user-1', 1, 'build.trigger', 'POST', '/api/v2/pipelines/' || $1 || '/trigger', 'shop-' || $1, 200, '10.0.0.1', gen_random_uuid()::text)`
    const written = await repeat(2_000, async () => {
      const started = performance.now()
      await client.query(insert, [String(Math.floor(Math.random() * 40_000))])
      return performance.now() - started
    })
    figure('audit, a row written with its indexes', written, ms, '< 2 ms')
  } finally {
    await client.end()
  }
}
