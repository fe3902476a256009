import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isEndpoint } from '@gantry/contract/endpoint'
import { expect, test } from 'vitest'
import { z } from 'zod'

const root = resolve(import.meta.dirname, '../../../..')
const contract = join(root, 'packages/contract/src')

/** Calls by the name that the source uses, such as `products.update`. */
const named = await Promise.all(
  globSync('**/*.ts', { cwd: contract, exclude: (file) => /\.(test|gen)\.ts$/.test(file) }).map(async (file) =>
    Object.entries((await import(join(contract, file))) as Record<string, unknown>).flatMap(([group, calls]) =>
      typeof calls === 'object' && calls !== null && !Array.isArray(calls)
        ? Object.entries(calls).flatMap(([name, one]) => (isEndpoint(one) ? [{ name: `${group}.${name}`, one }] : []))
        : [],
    ),
  ),
)
const edits = named.flat().filter(({ one }) => ['PUT', 'PATCH'].includes(one.method))

const mentions = (schema: z.ZodType | undefined): boolean =>
  schema !== undefined &&
  JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })).includes('"revision":{')

/** Whether an edit may name the revision that it was made on. */
const saysRevision = ({ body, query }: { body?: z.ZodType | undefined; query?: z.ZodType | undefined }): boolean =>
  mentions(body) || mentions(query)

/** The audit names of edits that carry no revision, by the reason. */
const without: Record<string, readonly string[]> = {
  'sets one thing, and shows nothing else that it could put back': [
    'build.pin',
    'decision.mail',
    'driver.default',
    'environment.assign',
    'harbor-project.publicity',
    'host.cordon',
    'host.dedicate',
    'host.ingress',
    'host.maintenance',
    'license.update',
    'news.read',
    'notification.read',
    'pipeline.pause',
    'platform-registry.assign',
    'certificate.allocate',
    'domain.give',
    'queue.update',
    'audit.set-retention',
    'team.assign-role',
    'user.approve',
    'volume.activate',
    'volume.reclaim',
    'alarm-rule.acknowledge',
    'alarm-rule.silence',
    'session.view-as',
  ],
  'an action: it begins something, and edits no document': [
    'blueprint.translate',
    'environment.accept',
    'harbor.sync',
    'harbor-project.assign',
    'helm-repository.read-all',
    'pipeline-batch.restore',
    'pull-secret.synchronize',
    'service.check-upgrade',
    'stack.take-over',
  ],
  'compared with what is in the cluster, which others change as well': ['host.taint'],
  'an amount, which is refused where it is less than what is in use': ['quota.set', 'stack.set-quota'],
}

test('an edit may name the revision that it was made on, or is listed with the reason why not', () => {
  expect(edits.length).toBeGreaterThan(80)
  expect(
    edits
      .filter(({ one }) => !saysRevision(one))
      .map(({ one }) => one.audit)
      .toSorted(),
  ).toEqual(Object.values(without).flat().toSorted())
})

test('an edit without a revision is found', () => {
  const body = z.strictObject({ name: z.string() })
  expect(saysRevision({ body })).toBe(false)
  expect(saysRevision({ body: body.extend({ revision: z.string().optional() }) })).toBe(true)
  expect(saysRevision({ body, query: z.strictObject({ revision: z.coerce.number().optional() }) })).toBe(true)
})

/** The revision by its name, or an object that was read whole and contains it; a new password overwrites nothing. */
const sends = /\brevision\b|\{ \.\.\.setting, |pipelines: results\.pipelines|\boldPassword\b/

test('the console names the revision that an edit was made on', () => {
  const pages = globSync('apps/console/src/**/*.{ts,tsx}', { cwd: root, exclude: (file) => /\.test\.tsx?$/.test(file) })
  const texts = pages.map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))
  const silent = edits
    .filter(({ one }) => saysRevision(one))
    .flatMap(({ name }) =>
      texts
        .filter(({ text }) => new RegExp(`(useWrite|call)\\(\\s*${name.replace('.', '\\.')}\\b`).test(text))
        .filter(({ text }) => !sends.test(text))
        .map(({ file }) => `${file}: ${name}`),
    )
  expect(silent).toEqual([])
})
