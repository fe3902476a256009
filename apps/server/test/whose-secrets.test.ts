import { randomBytes } from 'node:crypto'
import { groups } from '@gantry/contract/pipelines/groups'
import { products } from '@gantry/contract/products/products'
import { mask } from '@gantry/contract/validators'
import * as fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { inTx } from '../src/kernel/context.ts'
import { openLog } from '../src/kernel/log.ts'
import { open, seal } from '../src/kernel/secrets/secrets.ts'
import { testApp } from './test-app.ts'

/** Texts are masked only of secrets that concern them: others' secrets neither change a text nor confirm a guess. */
const lines: string[] = []
const app = await testApp({ log: openLog('info', (line) => lines.push(line)) })
type Team = Awaited<ReturnType<typeof app.team>>
let [ours, theirs]: Team[] = []
const groupOf = new Map<Team, number>()

beforeAll(async () => {
  ;[ours, theirs] = [await app.team(), await app.team()]
  for (const team of [ours, theirs]) {
    const { id } = await team.leader.call(groups.create, {
      params: { teamId: team.id },
      body: { name: 'payroll group' },
    })
    groupOf.set(team, id)
  }
})

type Variables = { name: string; value: string; secret?: boolean }[]
const save = (team: Team, variables: Variables) =>
  team.leader.call(groups.setVariables, { params: { id: groupOf.get(team) ?? 0 }, body: { variables } })

const named = (values: string[], secret: boolean): Variables =>
  values.map((value, at) => ({ name: `${secret ? 'SECRET' : 'PLAIN'}_${at}`, value, secret }))

async function lastRow({ leader }: Team) {
  return app.db
    .selectFrom('audit_log')
    .selectAll()
    .where('actor_id', '=', leader.id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
}

const plain = ['payroll-is-due-on-friday', 'https://git.example.test/payroll.git?ref=main', '{"name":"PLAIN_0"}']

/** What another team and the system read of their own calls; always the same. */
async function seenByOthers(victim: Team) {
  const answer = await victim.leader.call(groups.setVariables, {
    params: { id: groupOf.get(victim) ?? 0 },
    body: { variables: named(plain, false) },
  })
  const refused = await victim.leader.request(products.create, {
    params: { team: victim.id },
    body: { name: 'payroll-is-due-on-friday'.repeat(20), description: plain.join(' ') },
  })
  const { object, url, detail, actor_name, action, message } = await lastRow(victim)
  lines.length = 0
  app.ctx().log.warn({ err: new Error(plain.join(' ')), environment: plain[1] }, plain[0])
  app.server.log.warn({ text: plain }, plain[0])
  const told = lines.map((line) => JSON.parse(line) as { msg: string; text?: unknown; err?: { message: string } })
  return {
    answer: { ...answer, revision: 0 },
    refused: refused.body.replaceAll(/"requestId":"[^"]*"/g, ''),
    row: { object, url, detail, actor_name, action, message },
    lines: told.map(({ msg, text, err }) => ({ msg, text, message: err?.message })),
  }
}

test('a team’s secret does not change a byte of what another team or the system reads', async () => {
  const [attacker, victim] = [ours, theirs]
  if (!attacker || !victim) throw new Error('no teams')
  const before = await seenByOthers(victim)
  const corpus = JSON.stringify([before, Object.keys(before.row)])
  const part = fc
    .tuple(fc.nat(corpus.length - 4), fc.integer({ min: 4, max: 300 }))
    .map(([from, length]) => corpus.slice(from, from + length))
  const whole = fc.constantFrom(
    ...plain,
    before.row.url,
    before.row.object,
    'payroll',
    '/api/tenants/',
    'payroll group',
  )
  const encoded = fc.constantFrom(...plain).map((text) => Buffer.from(text).toString('base64'))
  const lineByLine = fc.array(fc.oneof(part, whole), { minLength: 1, maxLength: 5 }).map((all) => all.join('\n'))
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(part, whole, encoded, lineByLine), { minLength: 1, maxLength: 8 }),
      async (secrets) => {
        await save(attacker, named(secrets, true))
        expect(await seenByOthers(victim)).toEqual(before)
      },
    ),
    { numRuns: 25 },
  )
})

const guess = () => randomBytes(12).toString('base64url')

test.for([
  ['if another team has stored it', false],
  ['if the own team has stored it, and the same call decrypts it', true],
] as const)('10,000 guesses in one’s own row come back unchanged %s', async ([, own]) => {
  const [guesser, keeper] = own ? [ours, ours] : [ours, theirs]
  if (!guesser || !keeper) throw new Error('no teams')
  const stored = guess()
  await save(keeper, [{ name: 'STORED', value: stored, secret: true }])
  const rest: Variables = own ? [{ name: 'STORED', value: mask, secret: true }] : []
  // the row contains the variables before and after
  const lists = [0, 1].map((turn) =>
    Array.from({ length: 99 }, (_, at) =>
      Array.from({ length: 51 }, (_, n) => (turn === 1 && at === 50 && n === 25 ? stored : guess())).join(' '),
    ),
  )
  for (const list of lists) {
    const answer = await save(guesser, [...named(list, false), ...rest])
    expect(answer.variables.slice(0, 99).map(({ value }) => value)).toEqual(list)
  }
  const { detail } = (await lastRow(guesser)) as { detail: { before: Variables; after: Variables } }
  const shown = (variables: Variables) => variables.filter(({ secret }) => secret === false).map(({ value }) => value)
  expect([shown(detail.before), shown(detail.after)]).toEqual(lists)
  expect(JSON.stringify(detail).split(stored)).toHaveLength(2)
})

test('a secret equal to an address blanks no row’s address or object, not even in its own team', async () => {
  if (!ours) throw new Error('no team')
  const params = { id: groupOf.get(ours) ?? 0 }
  const url = groups.setVariables.path.replace(':id', String(params.id))
  const secrets = [url, '/api/projects/', 'payroll group', 'pipeline-group.set-variables', 'SECRET_0', '"secret":true']
  await save(ours, named(secrets, true))
  expect(await lastRow(ours)).toMatchObject({
    url,
    object: 'payroll group',
    action: 'pipeline-group.set-variables',
    detail: { after: secrets.map((_, at) => ({ name: `SECRET_${at}`, value: mask, secret: true })) },
  })
})

test('the value of a secret field does not occur in the caller’s own audit row, in any encoding', async () => {
  if (!ours) throw new Error('no team')
  const secret = `a "secret" + ${guess()}\nof two & lines ${guess()}`
  const said = [
    secret,
    Buffer.from(`x${secret}`).toString('base64'),
    encodeURIComponent(secret),
    JSON.stringify(secret),
  ]
  await save(ours, [{ name: 'SECRET', value: secret, secret: true }, ...named(said, false)])
  const { detail } = (await lastRow(ours)) as { detail: { after: Variables } }
  for (const { value } of detail.after) expect(value).toContain(mask)
  for (const line of secret.split('\n')) expect(JSON.stringify(detail)).not.toContain(line.slice(-16))
})

test('a call’s log masks the secrets encrypted and decrypted during it, but not those of other calls', async () => {
  const [mine, other] = [app.ctx(), app.ctx()]
  const [first, second] = [guess(), guess()]
  const sealed = await inTx(mine, async (ctx) => seal(ctx, first))
  await inTx(mine, async (ctx) => inTx(ctx, async (inner) => open(inner, seal(other, second))))
  lines.length = 0
  mine.log.info(`${first} ${second}`)
  other.log.info(`${first} ${second}`)
  app.ctx().log.info(`${first} ${second}`)
  const told = lines.map((line) => (JSON.parse(line) as { msg: string }).msg)
  expect(told).toEqual([`${mask} ${mask}`, `${first} ${mask}`, `${first} ${second}`])
  open(other, sealed)
  other.log.info(`${first} ${second}`)
  expect(lines.at(-1)).toContain(`${mask} ${mask}`)
})
