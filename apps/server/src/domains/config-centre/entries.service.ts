import type { ConfigAction } from '@gantry/contract/config-centre/history'
import { limits } from '@gantry/contract/config-centre/names'
import type { ConfigEntry, EntryInput, Imported } from '@gantry/contract/config-centre/profiles'
import type { List } from '@gantry/contract/paging'
import { mask } from '@gantry/contract/validators'
import { sorting } from '../../db/list.ts'
import { note } from '../../kernel/audit.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { Fault, mustExist } from '../../kernel/fault.ts'
import { toList, page } from '../../kernel/paging.ts'
import { open, seal } from '../../kernel/secrets/secrets.ts'
import { deleteEntries, entriesOf, listEntries, putEntries } from './entries.store.ts'
import { type FileEntry, formatOf, readFile, writeFile } from './file-formats.ts'
import { keepRevision, sealKept } from './history.store.ts'
import { nextRevision, type StoredProfile } from './profiles.store.ts'
import { mustFindProfile, nameOf } from './profiles.service.ts'
import { touchProject } from './projects.store.ts'
import { mustStillRun, rollOut } from './readers.service.ts'

const maskEntry = (entry: ConfigEntry): ConfigEntry => (entry.secret ? { ...entry, value: mask } : entry)

type Query = { keyword?: string | undefined; sort?: string | undefined } & Parameters<typeof page>[0]

export async function readEntries(ctx: Ctx, teamId: number, uuid: string, query: Query): Promise<List<ConfigEntry>> {
  await mustFindProfile(ctx, teamId, uuid)
  const at = page(query)
  const order = sorting(query.sort, ['key', 'updatedAt'])
  const { items, total } = await listEntries(ctx.db, uuid, query.keyword ?? '', order, at)
  return toList(items.map(maskEntry), total, at)
}

interface Change<T> {
  put: readonly Plain[]
  removed?: readonly string[]
  answer: (revision: number) => T
}

interface Changing {
  profile: StoredProfile
  /** By key; secret values are encrypted. */
  entries: Map<string, ConfigEntry>
}

/**
 * Changes the keys of a profile, stores the result as a revision, and rolls the change out. `change` returns the keys
 * to set and to remove.
 */
export const changeKeys = <T>(
  ctx: Ctx,
  teamId: number,
  uuid: string,
  action: ConfigAction,
  change: (ctx: Ctx, now: Changing) => Change<T>,
): Promise<T> =>
  inTx(ctx, async (ctx) => {
    const { project, name } = await mustFindProfile(ctx, teamId, uuid)
    const sought = { project, profile: name }
    const known = await rollOut(ctx, teamId, sought)
    const profile = await mustFindProfile(ctx, teamId, uuid, { lock: true })
    const entries = new Map((await entriesOf(ctx.db, uuid)).map((one) => [one.key, one]))
    const { put, removed = [], answer } = change(ctx, { profile, entries })
    const by = ctx.actor.name
    const revision = await nextRevision(ctx.db, uuid, by)
    await putEntries(
      ctx.db,
      uuid,
      put.map(({ key, value, secret }) => ({ key, value: secret ? seal(ctx, value) : value, secret })),
      { revision, by },
    )
    await deleteEntries(ctx.db, uuid, removed)
    mustFit(ctx, entries, put, removed)
    for (const { key, secret } of put)
      if (secret && entries.get(key)?.secret === false) await sealKept(ctx.db, uuid, key, (value) => seal(ctx, value))
    await keepRevision(ctx.db, uuid, {
      revision,
      action,
      by,
      keys: [...put.map(({ key }) => key), ...removed].toSorted(),
    })
    // by the present name: nobody reads the profile under a name that it got meanwhile
    await mustStillRun(ctx, teamId, { project, profile: profile.name }, known)
    await touchProject(ctx.db, profile.projectId, by)
    return answer(revision)
  })

/** A key to write, with its plain value. */
type Plain = Pick<ConfigEntry, 'key' | 'value' | 'secret'>

/** Throws 409 if a profile would exceed its limits. */
function mustFit(
  ctx: Ctx,
  before: ReadonlyMap<string, ConfigEntry>,
  put: readonly Plain[],
  removed: readonly string[],
): void {
  const plain = ({ key, value, secret }: Plain): [string, string] => [key, secret ? open(ctx, value) : value]
  const after = new Map([...before.values()].map(plain))
  for (const { key, value } of put) after.set(key, value)
  for (const key of removed) after.delete(key)
  if (after.size > limits.keys) throw new Fault('conflict', 'config-keys-limit', { limit: limits.keys })
  const size = [...after].reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0)
  if (size > limits.values) throw new Fault('conflict', 'config-values-limit', { limit: limits.values, size })
}

const mustBeShort = ({ key, value }: Plain): void => {
  if (Buffer.byteLength(value) > limits.value)
    throw new Fault('invalid', 'config-value-too-large', { key, limit: limits.value })
}

/** The mask stands for the stored secret value, and for nothing else. */
function plainOf(ctx: Ctx, { key, value, secret }: Plain, now: ConfigEntry | undefined): Plain {
  if (value !== mask) return { key, value, secret }
  if (!now?.secret) throw new Fault('invalid', 'config-mask-without-secret', { key })
  if (!secret) throw new Fault('invalid', 'config-mask-not-plain', { key })
  return { key, value: open(ctx, now.value), secret }
}

/** Throws 409 if the key has changed since the given revision. */
function mustBeSeen(entry: ConfigEntry, revision: number | undefined): void {
  if (revision !== undefined && entry.revision > revision)
    throw new Fault('conflict', 'config-key-changed', {
      key: entry.key,
      by: entry.updatedBy,
      value: entry.secret ? mask : entry.value.slice(0, 200),
    })
}

const toEntry = (ctx: Ctx, { key, value, secret }: Plain, revision: number): ConfigEntry =>
  maskEntry({ key, value, secret, revision, updatedAt: new Date().toISOString(), updatedBy: ctx.actor.name })

export const addEntry = (ctx: Ctx, teamId: number, uuid: string, given: EntryInput): Promise<ConfigEntry> =>
  changeKeys(ctx, teamId, uuid, 'add', (ctx, { profile, entries }) => {
    const { key, value, secret } = given
    note(ctx, { object: `${nameOf(profile)}: ${key}`, after: { key, value, secret } })
    const known = entries.get(key)
    if (known) throw new Fault('conflict', 'config-key-taken', { key, profile: nameOf(profile) })
    const plain = plainOf(ctx, given, undefined)
    mustBeShort(plain)
    return { put: [plain], answer: (revision) => toEntry(ctx, plain, revision) }
  })

export const changeEntry = (ctx: Ctx, teamId: number, uuid: string, given: EntryInput): Promise<ConfigEntry> =>
  changeKeys(ctx, teamId, uuid, 'change', (ctx, { profile, entries }) => {
    const { key, value, secret } = given
    const before = entries.get(key)
    note(ctx, { object: `${nameOf(profile)}: ${key}`, after: { key, value, secret } })
    if (!before) throw new Fault('conflict', 'config-key-gone', { key, profile: nameOf(profile) })
    note(ctx, { before: { key, value: maskEntry(before).value, secret: before.secret } })
    mustBeSeen(before, given.revision)
    const plain = plainOf(ctx, given, before)
    mustBeShort(plain)
    return { put: [plain], answer: (revision) => toEntry(ctx, plain, revision) }
  })

export const removeEntry = (
  ctx: Ctx,
  teamId: number,
  uuid: string,
  { key, revision }: { key: string; revision?: number | undefined },
): Promise<null> =>
  changeKeys(ctx, teamId, uuid, 'delete', (ctx, { profile, entries }) => {
    note(ctx, { object: `${nameOf(profile)}: ${key}` })
    const before = mustExist(entries.get(key))
    note(ctx, { before: { key, value: maskEntry(before).value, secret: before.secret } })
    mustBeSeen(before, revision)
    return { put: [], removed: [key], answer: () => null }
  })

export async function exportProfile(ctx: Ctx, teamId: number, uuid: string, format: 'properties' | 'yaml') {
  const profile = await mustFindProfile(ctx, teamId, uuid)
  note(ctx, { object: nameOf(profile), after: { format } })
  const entries = (await entriesOf(ctx.db, uuid)).map(maskEntry)
  return {
    name: `${profile.project}-${profile.name}.${format}`,
    text: writeFile(format, `${nameOf(profile)}, revision ${profile.revision}`, entries),
  }
}

/** The differences between a file and a profile; the mask stands for the stored value. */
function compare(ctx: Ctx, file: readonly FileEntry[], entries: ReadonlyMap<string, ConfigEntry>) {
  const put: Plain[] = []
  const summary: Omit<Imported, 'revision'> = { added: [], changed: [], same: [] }
  for (const { key, value, line } of file) {
    const now = entries.get(key)
    if (value === mask && !now?.secret) throw new Fault('invalid', 'config-import-mask', { line, key })
    const known = now && (now.secret ? open(ctx, now.value) : now.value)
    if (value === mask || value === known) summary.same.push(key)
    else {
      summary[now ? 'changed' : 'added'].push(key)
      // secret keys stay secret
      put.push({ key, value, secret: now?.secret ?? false })
    }
  }
  return { put, summary }
}

export async function importFile(
  ctx: Ctx,
  teamId: number,
  uuid: string,
  { name, check, revision }: { name: string; check: boolean; revision?: number | undefined },
  bytes: Uint8Array,
): Promise<Imported> {
  const profile = await mustFindProfile(ctx, teamId, uuid)
  note(ctx, { object: nameOf(profile), after: { file: name, check } })
  const file = readFile(formatOf(name), bytes)
  const now = new Map((await entriesOf(ctx.db, uuid)).map((one) => [one.key, one]))
  const { put, summary } = compare(ctx, file, now)
  // without changes there is nothing to roll out
  if (check || put.length === 0) return { ...summary, revision: profile.revision }
  return changeKeys(ctx, teamId, uuid, 'import', (ctx, { entries }) => {
    const { put, summary } = compare(ctx, file, entries)
    for (const { key } of file) {
      const entry = entries.get(key)
      if (entry) mustBeSeen(entry, revision)
    }
    note(ctx, { after: { file: name, ...summary } })
    return { put, answer: (revision) => ({ ...summary, revision }) }
  })
}
