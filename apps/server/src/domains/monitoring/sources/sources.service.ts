import type { Source, SourceInput } from '@gantry/contract/monitoring/metrics'
import { mask } from '@gantry/contract/validators'
import type { PrometheusAccess } from '../../../adapters/prometheus/prometheus.ts'
import { brokenConstraint } from '../../../db/constraint.ts'
import { note } from '../../../kernel/audit.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { type Hearer, sayTo } from '../../../kernel/phrase.ts'
import { keepSecret, open, shown } from '../../../kernel/secrets/secrets.ts'
import { environmentNamed } from '../metrics/scope.read.ts'
import { findSource, putSource, type StoredSource, unset } from './sources.store.ts'

const visible = (stored: StoredSource): Source => ({
  ...stored,
  password: shown(stored.password),
  token: shown(stored.token),
})

/** With the credentials in the clear: only for the adapter. */
export const accessOf = (
  ctx: Pick<Ctx, 'keys' | 'secrets'>,
  { url, username, password, token }: StoredSource,
): PrometheusAccess => ({
  url,
  username,
  password: password === null ? '' : open(ctx, password),
  token: token === null ? '' : open(ctx, token),
})

const slow: ReadonlySet<string> = new Set(['prometheus-slow', 'outbound-timeout'])

/** What is wrong with a Prometheus; where it is and what it says, only administrators hear. */
export const sayFailure = (to: Hearer, { key, vars }: Fault): string =>
  sayTo(to, { key, vars, plain: slow.has(key) ? 'monitoring-source-slow' : 'monitoring-source-down' })

async function nameOf(ctx: Ctx, environment: string): Promise<string> {
  const found = await environmentNamed(ctx.db, environment)
  if (!found) throw new Fault('missing', 'resource-missing')
  return found.name
}

export async function readSource(ctx: Ctx, environment: string): Promise<Source> {
  await nameOf(ctx, environment)
  return visible(await findSource(ctx.db, environment))
}

const originOf = (url: string): string => (url === '' ? '' : new URL(url).origin)

/** A credential never follows to another server, nor to another user there. */
function meant(ctx: Ctx, given: SourceInput, stored: StoredSource): StoredSource {
  if (given.kind === 'sampled') return unset
  const same = originOf(given.url) === originOf(stored.url) && given.username === stored.username
  if (!same && [given.password, given.token].includes(mask)) throw new Fault('invalid', 'monitoring-secret-again')
  return {
    ...given,
    password: given.username === '' ? null : keepSecret(ctx, given.password, stored.password, same),
    token: keepSecret(ctx, given.token, stored.token, same),
  }
}

/** A Prometheus is asked, with these credentials, before it is saved. */
export async function writeSource(ctx: Ctx, environment: string, given: SourceInput): Promise<Source> {
  note(ctx, { object: await nameOf(ctx, environment) })
  const before = await findSource(ctx.db, environment)
  note(ctx, { before: visible(before), after: given })
  const wanted = meant(ctx, given, before)
  if (wanted.kind === 'prometheus') await ctx.ports.prometheus.verify(accessOf(ctx, wanted), ctx.signal)
  await putSource(ctx.db, environment, wanted).catch(
    brokenConstraint('monitoring_source_environment_fkey', new Fault('missing', 'resource-missing')),
  )
  return visible(wanted)
}
