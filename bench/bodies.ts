import { Readable } from 'node:stream'
import { callOf, type Endpoint } from '@gantry/contract/endpoint'
import { lint } from '@gantry/contract/pipelines/editing/lint'
import { type JsonBody, jsonBody } from '../apps/server/src/http/body/json-body.ts'
import { schemaOf } from '../apps/server/src/http/openapi/openapi.ts'
import { findEndpoints } from '../apps/server/src/kernel/find.ts'
import { growths } from '../apps/server/test/fuzz/multiplied.ts'
import { openRandom } from '../apps/server/test/fuzz/random.ts'
import type { z } from 'zod'
import { figure, ms } from './figures.ts'

/** Processor time in ms that a schema may take for a body, whatever the body contains. */
const most = 50
/** Bodies that took this long once are measured again: the first body that a schema parses compiles it. */
const suspicious = 15
/** The number of distinct names in a body: one, ten, or every name is different. */
const namesApart = [1, 10, Infinity]

const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

interface Measured {
  call: string
  place: string
  /** Processor time of the schema alone, and (`whole`) of everything from bytes to a body or a refusal. */
  schema: number
  whole: number
}

/** Every body schema, those with the largest limit first, each once, its parts grown as far as the limit allows. */
async function* grownBodies(): AsyncGenerator<{
  endpoint: Endpoint
  json: JsonBody<z.ZodType>
  place: string
  text: string
}> {
  const taking = (await findEndpoints())
    .map(({ value }) => value)
    .filter(({ method, upload }) => method !== 'GET' && upload === undefined)
    .map((endpoint) => ({ endpoint, json: jsonBody(endpoint.body) }))
    .toSorted((a, b) => b.json.limit - a.json.limit)
  const draft = jsonBody(lint.draft.body)
  for (const [at, matrix] of fullMatrices().entries())
    yield {
      endpoint: lint.draft,
      json: draft,
      place: `${at + 1}: stages.*.jobs.*.matrix`,
      text: definitionOf(matrix, draft.limit),
    }
  const seen = new Set<string>()
  for (const { endpoint, json } of taking)
    for (const { place, grow } of growths(schemaOf(endpoint.body, 'input'), seen))
      for (const apart of namesApart) {
        let named = 0
        const fresh = () => `n${(named++ % apart).toString(36)}`
        const source = { random: openRandom(1), known: () => undefined, fresh, secret: () => 's', optional: 0 }
        // a part may exceed its share a little, and a text doubles its length when it is escaped
        for (const share of [0.98, 0.9, 0.45]) {
          const text = JSON.stringify(grow(source, share * json.limit))
          if (Buffer.byteLength(text) > json.limit) continue
          yield { endpoint, json, place, text }
          break
        }
        // a long text has no names
        if (named === 0) break
      }
}

interface Matrix {
  axes: Record<string, string[]>
  exclude: Record<string, string>[]
}

/** Random growth does not make parts that refer to one another: matrices that are full of exclusions. */
function fullMatrices(): Matrix[] {
  const digits = Array.from({ length: 10 }, (_, at) => String(at))
  const ten = ['A', 'B', 'C']
  const two = Array.from({ length: 9 }, (_, at) => `A${at}`)
  const pairs = two.flatMap((one, at) => two.slice(at + 1).map((other) => ({ [one]: '0', [other]: '0' })))
  return [
    {
      axes: Object.fromEntries(ten.map((axis) => [axis, digits])),
      exclude: ten.flatMap((axis) => digits.slice(1).map((value) => ({ [axis]: value }))),
    },
    {
      axes: Object.fromEntries(two.map((axis) => [axis, ['0', '1']])),
      exclude: [
        ...pairs,
        ...pairs.map((one) => ({ ...one, A0: '1' })),
        ...pairs.map((one) => ({ ...one, A1: '1' })),
      ].slice(0, 100),
    },
  ]
}

/** A definition with as many jobs of this matrix as a build and a body may have. */
function definitionOf(matrix: Matrix, limit: number): string {
  const most = Math.min(500, Math.floor(limit / (JSON.stringify(matrix).length + 100)))
  const job = (at: number) => ({ name: `job ${at}`, matrix, steps: [{ type: 'script', name: 'run', run: 'true' }] })
  const stages = Array.from({ length: Math.ceil(most / 50) }, (_, stage) => ({
    name: `stage ${stage}`,
    jobs: Array.from({ length: Math.min(50, most - 50 * stage) }, (_, at) => job(50 * stage + at)),
  }))
  return JSON.stringify({ stages })
}

async function costOf(
  { body }: Endpoint,
  json: JsonBody<z.ZodType>,
  text: string,
): Promise<Pick<Measured, 'schema' | 'whole'>> {
  const incoming = { contentType: 'application/json', contentEncoding: undefined, contentLength: undefined }
  const stream = Readable.from([Buffer.from(text)])
  const started = cpuMs()
  await json.read({ ...incoming, stream }).catch(() => undefined)
  const whole = cpuMs() - started
  const value: unknown = JSON.parse(text)
  const parsing = cpuMs()
  body.safeParse(value, { reportInput: true })
  return { schema: cpuMs() - parsing, whole }
}

/** The processor time of the dearest bodies within the limits, and the schemas that take more than 50 ms for one. */
export async function benchBodies(): Promise<void> {
  const measured: Measured[] = []
  for await (const { endpoint, json, place, text } of grownBodies()) {
    const costs = [await costOf(endpoint, json, text)]
    const again = () => Math.max(...Object.values(costs.at(-1) ?? {}).map(Number)) > suspicious && costs.length < 4
    while (again()) costs.push(await costOf(endpoint, json, text))
    const least = (of: 'schema' | 'whole') => Math.min(...costs.map((cost) => cost[of]))
    measured.push({ call: callOf(endpoint), place, schema: least('schema'), whole: least('whole') })
  }
  const dearest = measured.toSorted((a, b) => b.schema - a.schema)
  figure(
    `${measured.length} grown bodies: CPU of the schema`,
    measured.map(({ schema }) => schema),
    ms,
  )
  figure(
    `${measured.length} grown bodies: CPU from bytes to a body`,
    measured.map(({ whole }) => whole),
    ms,
  )
  for (const { call, place, schema } of dearest.slice(0, 5))
    figure(`${call.split('/').slice(-3).join('/')} ${place}`.slice(-64), [schema], ms)
  const over = dearest.filter(({ schema }) => schema > most)
  console.log(
    over.length === 0 ? `no schema takes more than ${most} ms` : `${over.length} bodies take more than ${most} ms`,
  )
}
