import type { ImportNote, ImportPlan, imports } from '@gantry/contract/blueprints/imports'
import type { ReleasePlan } from '@gantry/contract/blueprints/releases'
import { type ServiceSpec, typeOf } from '@gantry/contract/stacks/spec'
import type { Stack } from '@gantry/contract/stacks/stacks'
import { mask } from '@gantry/contract/validators'
import type { CompiledService } from '@gantry/tosca/compile'
import { leanOutward, leanSpec } from '@gantry/tosca/write'
import { stringify } from 'yaml'
import type { z } from 'zod'
import { mustHold } from '../../../identity/access.ts'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault, mustExist } from '../../../kernel/fault.ts'
import { isPhrase, say } from '../../../kernel/phrase.ts'
import { openThread, ThreadLimit } from '../../../kernel/thread.ts'
import { mustUse } from '../../clusters/public.ts'
import { usableRegistry } from '../../images/public.ts'
import {
  applyChanges,
  createStack,
  findStack,
  findStackByName,
  mustReach,
  registriesOf,
  shownStack,
  type StackRow,
  usedBy,
  withEachSecret,
} from '../../stacks/public.ts'
import { plannedOf, turnsOf } from '../releases/plan.ts'
import { preview } from '../releases/preview.ts'
import { nothing, type StackName } from '../releases/releases.service.ts'
import type { Read } from './read.ts'
import type { Diagnostic } from './telling.ts'
import { sourceUrl } from '../../../root.ts'

type Wanted = z.output<typeof imports.create.body>

/** Parses a text in a worker thread. */
export const readApart = openThread<string, Read>(sourceUrl('domains/blueprints/imports/read.worker.ts'))

interface Import {
  read: Read
  /** Problems that prevent the import. */
  wrong: Diagnostic[]
  services: CompiledService[]
  /** The stack, if it already exists. */
  stack: StackRow | undefined
}

/** Drops registries that this team may not use, so that the user has to choose one. */
async function withOwnRegistries(
  ctx: Ctx,
  teamId: number,
  given: ServiceSpec,
): Promise<{ spec: ServiceSpec; foreign: boolean }> {
  const known = new Map<number, boolean>()
  for (const id of registriesOf(given)) known.set(id, await usableRegistry(ctx, teamId, id).then(() => true, isMissing))
  const own = <T extends { registryId: number | null }>(one: T): T => ({
    ...one,
    registryId: one.registryId !== null && known.get(one.registryId) === true ? one.registryId : null,
  })
  const spec = { ...own(given), ...(given.containers && { containers: given.containers.map(own) }) }
  return { spec, foreign: [...known.values()].includes(false) }
}

function isMissing(error: unknown): false {
  if (error instanceof Fault && error.kind === 'missing') return false
  throw error
}

async function readImport(ctx: Ctx, at: StackName, { text, leaveOut }: Wanted): Promise<Import> {
  const stack = await findStackByName(ctx.db, at.teamId, at.envId, at.stackName)
  if (!stack) await mustHold(ctx, at.teamId, 'stack_stack_create')
  await mustUse(ctx, at.envId, at.teamId)
  const read = await readApart(text).catch((error: unknown) => {
    throw error instanceof ThreadLimit ? new Fault('invalid', 'imports-too-complex') : error
  })
  const left = new Set(leaveOut)
  const services = read.services
    .filter(({ name }) => !left.has(name))
    .map((one) => ({ ...one, requires: one.requires.filter((name) => !left.has(name)) }))
  for (const { spec } of services)
    withEachSecret(spec, (_key, value) => {
      ctx.secrets.add(value)
      return value
    })
  for (const one of services) {
    const { spec, foreign } = await withOwnRegistries(ctx, at.teamId, one.spec)
    one.spec = spec
    const place = read.names.find(({ name }) => name === one.name)
    if (place && foreign)
      read.notes.push({ ...place, service: one.name, key: 'imports-registry', vars: { name: one.name } })
  }
  const wrong = read.wrong.filter(({ service }) => service === '' || !left.has(service))
  if (wrong.length === 0 && services.length === 0) throw new Fault('invalid', 'imports-all-left')
  return { read, wrong, services, stack }
}

const words = ({ lang }: Ctx, key: string, vars: Diagnostic['vars']): string =>
  isPhrase(key) ? say(lang, key, vars) : key

/** A problem or note in the caller's language. */
export const wordsOf = (ctx: Ctx, { key, vars, reason }: Diagnostic): string =>
  words(ctx, key, reason ? { ...vars, reason: words(ctx, reason.key, reason.vars) } : vars)

const toNote = (ctx: Ctx, diagnostic: Diagnostic): ImportNote => ({
  line: diagnostic.line,
  column: diagnostic.column,
  service: diagnostic.service,
  text: wordsOf(ctx, diagnostic),
})

/** At most this many problems are listed in a refusal. */
const maxListed = 20

function refuseProblems(ctx: Ctx, wrong: readonly Diagnostic[]): void {
  const [first] = wrong
  if (!first) return
  const problems = wrong
    .slice(0, maxListed)
    .map((one) => ({ path: `text:${one.line}:${one.column}`, key: one.key, text: wordsOf(ctx, one) }))
  const { line, column } = first
  throw new Fault(
    'invalid',
    'imports-wrong',
    { line, column, reason: wordsOf(ctx, first), count: wrong.length },
    problems,
  )
}

const noted = (ctx: Ctx, { stackName }: StackName, { text: _, ...rest }: Wanted, names: readonly string[] = []): void =>
  note(ctx, { object: stackName, after: { ...rest, services: [...names] } })

/** Creates the stack if needed and all services, or nothing. Ingresses come last, because they refer to the others. */
const importAll = (ctx: Ctx, at: StackName, wanted: Wanted, services: readonly CompiledService[]): Promise<number> =>
  inTx(ctx, async (ctx) => {
    const { description, productId, quota } = wanted
    const found = await findStackByName(ctx.db, at.teamId, at.envId, at.stackName)
    const stack =
      found ??
      (await createStack(ctx, at.teamId, { name: at.stackName, envId: at.envId, description, productId, quota }))
    const ordered = services.toSorted(
      (a, b) => Number(a.spec.outward !== undefined) - Number(b.spec.outward !== undefined),
    )
    await applyChanges(
      ctx,
      stack,
      ordered.map(({ name, spec, requires }) => ({ type: 'create', name, serviceType: typeOf(spec), spec, requires })),
    )
    return stack.id
  })

const mustReachAll = (ctx: Ctx, at: StackName, services: readonly CompiledService[]): Promise<void> =>
  mustReach(ctx, at, ...services.map(({ spec }) => spec))

async function planOf(ctx: Ctx, at: StackName, wanted: Wanted, { services, stack }: Import): Promise<ReleasePlan> {
  const turns = turnsOf(services)
  const plan: ReleasePlan = {
    blueprint: null,
    made: services.map((one) => plannedOf(one, turns)),
    changed: [],
    restarted: [],
    removed: [],
    same: [],
    share: {
      before: stack ? await usedBy(ctx, stack.id) : nothing,
      after: nothing,
      quota: stack ? { cpu: stack.cpu, memory: stack.memory } : wanted.quota,
    },
    outputs: [],
    refusals: [],
  }
  await mustReachAll(ctx, at, services)
  return preview(ctx, plan, async (ctx) => usedBy(ctx, await importAll(ctx, at, wanted, services)))
}

export const masked = (spec: ServiceSpec): ServiceSpec =>
  withEachSecret(spec, (_key, value) => (value === '' ? '' : mask))

/** A document as YAML, without defaults. */
export const documentOf = (spec: ServiceSpec): string =>
  stringify(spec.outward ? { outward: { type: spec.outward.type, ...leanOutward(spec.outward) } } : leanSpec(spec), {
    lineWidth: 0,
  })

/** Previews what would be created from a text, and lists what would be lost. */
export async function checkImport(ctx: Ctx, at: StackName, wanted: Wanted): Promise<ImportPlan> {
  noted(ctx, at, wanted)
  const found = await readImport(ctx, at, wanted)
  const { read, wrong, services, stack } = found
  noted(
    ctx,
    at,
    wanted,
    services.map(({ name }) => name),
  )
  const left = new Set(wanted.leaveOut)
  return {
    format: read.format,
    exists: stack !== undefined,
    names: read.names.map(({ name }) => name),
    services: services.map(({ name, spec }) => ({ name, document: documentOf(masked(spec)) })),
    wrong: wrong.map((one) => toNote(ctx, one)),
    notes: read.notes.filter(({ service }) => !left.has(service)).map((one) => toNote(ctx, one)),
    plan: wrong.length > 0 ? null : await planOf(ctx, at, wanted, found),
  }
}

export async function importText(ctx: Ctx, at: StackName, wanted: Wanted): Promise<Stack> {
  noted(ctx, at, wanted)
  const { wrong, services } = await readImport(ctx, at, wanted)
  refuseProblems(ctx, wrong)
  await mustReachAll(ctx, at, services)
  const id = await importAll(ctx, at, wanted, services)
  noted(
    ctx,
    at,
    wanted,
    services.map(({ name }) => name),
  )
  const stack = mustExist(await findStack(ctx.db, id))
  return shownStack(ctx, stack)
}
