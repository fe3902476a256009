import { type Entry, entriesOf, type Family } from '@gantry/contract/stacks/outward'
import type { ServiceSpec } from '@gantry/contract/stacks/spec'
import { waysTopic } from '@gantry/contract/stacks/topics'
import type { Ctx } from '../../../kernel/context.ts'
import { publish } from '../../../kernel/events/events.ts'
import { Fault } from '../../../kernel/fault.ts'
import { mustOwnHosts, useCertificates } from '../../certificates/public.ts'
import { certifiedHosts } from './certified.service.ts'
import { reservePort, dropClaims, holderOf, insertClaim, type Place, serialiseClaims } from './claims.store.ts'

/** A port that is neither HTTP nor HTTPS is claimed as a whole. */
export const placeOfEntry = ({ port, family, host, path }: Pick<Entry, 'port' | 'family' | 'host' | 'path'>): Place =>
  family === 'http' || family === 'https' ? { port, family, host, path } : { port, family, host: '', path: '' }

interface StackPlace {
  teamId: number
  envId: string
}

/** Why a place cannot be claimed; undefined if it is free. Another team's service is not named. */
export async function refusalOf(
  ctx: Ctx,
  { teamId, envId }: StackPlace,
  place: Place,
  except?: number,
): Promise<Fault | undefined> {
  const holder = await holderOf(ctx.db, envId, place, except)
  if (!holder) return undefined
  const what = holder.family === place.family ? 'place' : 'port'
  const { port, host, path } = place
  const vars = { port, place: `${host === '' ? '*' : host}${path}`, family: names[holder.family as Family] }
  return holder.teamId === teamId
    ? new Fault('conflict', `outward-${what}-taken`, { ...vars, holder: `${holder.stack}/${holder.service}` })
    : new Fault('conflict', `outward-${what}-taken-elsewhere`, vars)
}

const names: Record<Family, string> = { http: 'HTTP', https: 'HTTPS', tcp: 'TCP', udp: 'UDP' }

/**
 * Claims the places of a service's ways in and releases its earlier ones, or throws 409 with the holder of a place.
 * Call it in the transaction of the change; a constraint decides between concurrent claims.
 */
export async function claimPlaces(
  ctx: Ctx,
  where: StackPlace,
  serviceId: number,
  { outward }: ServiceSpec,
): Promise<void> {
  if (!outward) return
  const entries = entriesOf(outward)
  await mustOwnHosts(
    ctx,
    where.teamId,
    entries.map(({ host }) => host),
  )
  await useCertificates(ctx, { serviceId, teamId: where.teamId }, certifiedHosts(outward))
  await serialiseClaims(ctx.db, where.envId)
  await publish(ctx, waysTopic, {})
  await dropClaims(ctx.db, serviceId)
  for (const place of entries.map(placeOfEntry)) {
    const taken =
      (await reservePort(ctx.db, where.envId, place)) && (await insertClaim(ctx.db, where.envId, serviceId, place))
    if (taken) continue
    const refusal = await refusalOf(ctx, where, place)
    throw refusal ?? new Fault('conflict', 'outward-place-taken-elsewhere', { port: place.port, place: place.path })
  }
}
