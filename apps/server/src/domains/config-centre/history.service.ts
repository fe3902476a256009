import type { ConfigDifference, ConfigRevision } from '@gantry/contract/config-centre/history'
import type { Profile } from '@gantry/contract/config-centre/profiles'
import type { List } from '@gantry/contract/paging'
import { mask } from '@gantry/contract/validators'
import { note } from '../../kernel/audit.ts'
import type { Ctx } from '../../kernel/context.ts'
import { Fault, mustExist } from '../../kernel/fault.ts'
import { page } from '../../kernel/paging.ts'
import { open } from '../../kernel/secrets/secrets.ts'
import { changeKeys } from './entries.service.ts'
import { entriesOf } from './entries.store.ts'
import { entriesAt, type KeptEntry, listRevisions } from './history.store.ts'
import { mustFindProfile, nameOf, readProfile } from './profiles.service.ts'

export async function readHistory(
  ctx: Ctx,
  teamId: number,
  uuid: string,
  query: Parameters<typeof page>[0],
): Promise<List<ConfigRevision>> {
  await mustFindProfile(ctx, teamId, uuid)
  return listRevisions(ctx.db, uuid, page(query))
}

async function mustKeep(ctx: Ctx, uuid: string, revision: number): Promise<KeptEntry[]> {
  return mustExist(await entriesAt(ctx.db, uuid, revision))
}

const byKey = <T extends KeptEntry>(entries: readonly T[]): Map<string, T> =>
  new Map(entries.map((one) => [one.key, one]))

const valueOf = (ctx: Ctx, { value, secret }: KeptEntry): string => (secret ? open(ctx, value) : value)

/** Whether a key has the same value and secrecy in both. */
const isSame = (ctx: Ctx, one: KeptEntry | undefined, other: KeptEntry | undefined): boolean =>
  one && other ? one.secret === other.secret && valueOf(ctx, one) === valueOf(ctx, other) : one === other

const maskedValue = (entry: KeptEntry | undefined, secret: boolean): string | null =>
  entry === undefined ? null : secret ? mask : entry.value

export async function compareWith(
  ctx: Ctx,
  teamId: number,
  uuid: string,
  revision: number,
): Promise<{ differences: ConfigDifference[]; current: number }> {
  const { revision: current } = await mustFindProfile(ctx, teamId, uuid)
  const then = byKey(await mustKeep(ctx, uuid, revision))
  const now = byKey(await entriesOf(ctx.db, uuid))
  const differences = [...new Set([...then.keys(), ...now.keys()])]
    .toSorted()
    .filter((key) => !isSame(ctx, then.get(key), now.get(key)))
    .map((key) => {
      // a value that was plain before its key became secret is hidden too
      const secret = then.get(key)?.secret === true || now.get(key)?.secret === true
      return { key, secret, before: maskedValue(then.get(key), secret), now: maskedValue(now.get(key), secret) }
    })
  return { differences, current }
}

/** Restores the keys of a revision; refused if the profile has changed since the comparison. */
export async function returnTo(
  ctx: Ctx,
  teamId: number,
  uuid: string,
  revision: number,
  current: number | undefined,
): Promise<Profile> {
  const { project, name } = await mustFindProfile(ctx, teamId, uuid)
  note(ctx, { object: nameOf({ project, name }), after: { revision } })
  const then = byKey(await mustKeep(ctx, uuid, revision))
  await changeKeys(ctx, teamId, uuid, 'return', (ctx, { profile, entries }) => {
    if (current !== undefined && current !== profile.revision)
      throw new Fault('conflict', 'config-profile-changed', {
        name: profile.name,
        by: profile.updatedBy,
        revision: profile.revision,
      })
    const put = [...then.values()].filter((one) => !isSame(ctx, one, entries.get(one.key)))
    const removed = [...entries.keys()].filter((key) => !then.has(key))
    if (put.length + removed.length === 0) throw new Fault('conflict', 'config-return-same', { revision })
    return {
      put: put.map((one) => ({ ...one, value: valueOf(ctx, one) })),
      removed,
      answer: () => null,
    }
  })
  return readProfile(ctx, teamId, uuid)
}
