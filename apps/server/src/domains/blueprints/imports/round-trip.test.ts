import fc from 'fast-check'
import { ServiceSpec, type ServiceSpecInput } from '@gantry/contract/stacks/spec'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { serviceTexts } from '../../stacks/services/export.service.ts'
import { readText } from './read.ts'

/** Random documents of services, with any of their parts missing. */
const ports = fc.uniqueArray(
  fc.record({ port: fc.integer({ min: 1, max: 65_535 }), protocol: fc.constantFrom('TCP' as const, 'UDP' as const) }),
  {
    selector: ({ port, protocol }) => `${port}/${protocol}`,
    maxLength: 4,
  },
)
const word = fc.string({ unit: 'grapheme-ascii', maxLength: 12 })
const name = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/)
const path = fc.stringMatching(/^(\/[a-z0-9_.-]{1,8}){1,3}$/).filter((one) => !/\/\.{1,2}(\/|$)/.test(one))
const variables = fc.uniqueArray(
  fc.record({ name: fc.stringMatching(/^[A-Z_][A-Z0-9_.-]{0,10}$/), value: word, secret: fc.boolean() }),
  { selector: (one) => one.name, maxLength: 4 },
)
const some = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined })
const port = fc.integer({ min: 1, max: 65_534 })
const timing = {
  delaySeconds: some(fc.integer({ min: 0, max: 60 })),
  periodSeconds: some(fc.integer({ min: 1, max: 60 })),
  timeoutSeconds: some(fc.integer({ min: 1, max: 30 })),
  failures: some(fc.integer({ min: 1, max: 9 })),
}
const probe = fc.oneof(
  fc.record({ type: fc.constant('tcp' as const), port, ...timing }),
  fc.record({ type: fc.constant('http' as const), port, path: fc.constantFrom('/', '/ready'), ...timing }),
  fc.record({
    type: fc.constant('command' as const),
    command: fc.array(word, { minLength: 1, maxLength: 3 }),
    ...timing,
  }),
)
const hook = fc.oneof(
  fc.record({ type: fc.constant('command' as const), command: fc.array(word, { minLength: 1, maxLength: 3 }) }),
  fc.record({ type: fc.constant('http' as const), port, path: fc.constantFrom('/', '/bye') }),
)
const volume = fc.oneof(
  fc.record({
    type: fc.constant('claim' as const),
    size: fc.constant('2Gi'),
    storageClass: some(name),
    access: fc.constantFrom('one' as const, 'many' as const),
  }),
  fc.record({ type: fc.constant('existing' as const), claim: name }),
  fc.record({ type: fc.constant('empty' as const), size: some(fc.constant('1Gi')), memory: fc.boolean() }),
)
const resources = fc.constantFrom(undefined, { cpu: '2', memory: '1Gi', cpuRequest: '100m', memoryRequest: '64Mi' })
const registryId = fc.constantFrom(null, 7)

const common = fc.record({
  image: fc.constantFrom('registry.example.test/web:1', 'nginx', `host/x@sha256:${'a'.repeat(64)}`),
  registryId,
  command: fc.array(word, { maxLength: 3 }),
  arguments: fc.array(word, { maxLength: 3 }),
  workingDirectory: some(path),
  ports,
  environment: variables,
  resources,
  readiness: some(probe),
  liveness: some(probe),
  startup: some(probe),
  lifecycle: some(fc.record({ afterStart: some(hook), beforeStop: some(hook) })),
  terminationSeconds: some(fc.integer({ min: 1, max: 300 })),
  gpu: some(fc.integer({ min: 1, max: 4 })),
  dns: some(
    fc.record({ servers: fc.constantFrom([], ['192.0.2.1']), searches: fc.constantFrom([], ['example.test']) }),
  ),
  security: some(
    fc.record({
      user: some(fc.integer({ min: 0, max: 9999 })),
      group: some(fc.integer({ min: 0, max: 9999 })),
      volumeGroup: some(fc.integer({ min: 0, max: 9999 })),
      nonRoot: some(fc.boolean()),
      readOnlyRoot: some(fc.boolean()),
      drop: some(fc.constantFrom(['ALL'], ['NET_RAW', 'KILL'])),
    }),
  ),
  metrics: some(fc.record({ port, path: fc.constantFrom('/metrics', '/m') })),
  labels: some(
    fc.constantFrom(
      [],
      [
        { key: 'tier', value: 'front' },
        { key: 'example.test/a', value: '' },
      ],
    ),
  ),
  annotations: some(fc.constantFrom([], [{ key: 'example.test/note', value: 'a: b' }])),
  placement: some(
    fc.record({
      hosts: some(
        fc.constantFrom([{ key: 'disk', values: ['ssd'], not: false }], [{ key: 'gpu', values: [], not: true }]),
      ),
      zone: some(fc.constant('zone-a')),
      beside: some(fc.constantFrom(['db'])),
      apart: some(fc.constantFrom(['db'])),
      spread: some(fc.constantFrom('hosts' as const, 'zones' as const)),
      tolerations: some(
        fc.constantFrom([{ key: 'spot' }], [{ key: 'spot', value: 'yes', effect: 'NoSchedule' as const }]),
      ),
    }),
  ),
  files: fc.array(fc.record({ content: fc.string({ maxLength: 40 }), secret: fc.boolean() }), { maxLength: 3 }),
  volumes: fc.array(fc.tuple(volume, fc.boolean()), { maxLength: 3 }),
  extras: fc.array(
    fc.record({
      role: fc.constantFrom('init' as const, 'side' as const),
      registryId,
      environment: variables,
      mounted: fc.boolean(),
      resources,
    }),
    { maxLength: 2 },
  ),
})

const kinds: fc.Arbitrary<Partial<ServiceSpecInput>> = fc.oneof(
  fc.record({
    replicas: fc.integer({ min: 0, max: 5 }),
    rollout: some(
      fc.constantFrom(
        { type: 'recreate' as const },
        { type: 'rolling' as const, surge: 2, unavailable: 0 },
        { type: 'rolling' as const, surge: '25%', unavailable: '10%' },
        { type: 'rolling' as const, surge: 0, unavailable: 1 },
      ),
    ),
  }),
  fc.constant({ replicas: 3, autoscaling: { min: 1, max: 5, cpu: { out: 80, in: 40 } } }),
  fc.record({ workload: fc.constant('statefulset' as const), replicas: fc.integer({ min: 0, max: 3 }) }),
  fc.record({ workload: fc.constant('daemonset' as const), replicas: fc.integer({ min: 1, max: 3 }) }),
  fc.record({
    workload: fc.constant('job' as const),
    job: some(fc.constant({ completions: 3, parallelism: 2, retries: 0, deadlineSeconds: 60 })),
  }),
  fc.record({
    workload: fc.constant('cronjob' as const),
    job: some(fc.constant({ retries: 1 })),
    schedule: fc.record({
      cron: fc.constant('*/5 * * * *'),
      zone: fc.constantFrom('UTC', 'Europe/Berlin'),
      overlap: fc.constantFrom('wait' as const, 'replace' as const),
      paused: fc.boolean(),
    }),
  }),
)

const document = fc.tuple(common, kinds).map(([{ extras, volumes, files, ...more }, kind]): ServiceSpecInput => {
  const bare = JSON.parse(JSON.stringify({ ...more, ...kind })) as ServiceSpecInput
  return {
    ...bare,
    // exports omit the values of secrets
    environment: more.environment.map((one) => ({ ...one, value: one.secret ? '' : one.value })),
    files: files.map(({ content, secret }, at) => ({
      path: `/etc/f_${at}/a-b`,
      secret,
      content: secret ? '' : content,
    })),
    volumes: volumes.map(([one, readOnly], at) => ({ name: `v${at}`, path: `/v/${at}`, readOnly, ...one })),
    containers: extras.map(({ mounted, environment, ...one }, at) => ({
      ...(JSON.parse(JSON.stringify(one)) as typeof one),
      name: `extra${at}`,
      image: 'helper:1',
      environment: environment.map((variable) => ({ ...variable, value: variable.secret ? '' : variable.value })),
      mounts: mounted && volumes.length > 0 ? [{ volume: 'v0', path: '/shared' }] : [],
    })),
  }
})

const of = {
  id: 3,
  name: 'web',
  teamId: 1,
  teamName: 'shop',
  stackUuid: '7d0f8b0e-5b8a-4a63-9f3e-2c0f3f1f0a11',
  namespace: 'shop-front',
  podRevision: 1,
  podDigest: '',
  pins: null,
  restartedAt: null,
  podDedicated: true,
}
const textsOf = (spec: ServiceSpec, requires: readonly string[]) =>
  serviceTexts(
    of as never,
    { type: spec.outward?.type ?? 'business', spec, requires: [...requires] },
    (text) => `# ${text}\n`,
  )
/** A service that placement rules of the others refer to. */
const db = textsOf(ServiceSpec.parse({ image: 'db:1' }), []).map((text) =>
  text.replaceAll(/\bweb\b/g, 'db').replaceAll('"3"', '"4"'),
)

const objectsIn = (texts: readonly string[]) =>
  texts.flatMap((text) => parseAllDocuments(text).map((one) => one.toJS() as unknown))

test('an export imports as the same document, whatever that contains', () => {
  fc.assert(
    fc.property(document, fc.constantFrom<string[][]>([], ['db']), (input, requires) => {
      const spec = ServiceSpec.parse(input)
      const texts = textsOf(spec, requires)
      const read = readText([...texts, ...db].join('---\n'))
      expect(read.wrong).toEqual([])
      const notes = read.notes.filter(({ key }) => key !== 'imports-secret-empty')
      expect(notes).toEqual([])
      const web = read.services.find((one) => one.name === 'web')
      expect(web?.requires).toEqual(requires)
      if (!web) throw new Error('the service is missing')
      // exporting again gives the same objects, and importing these gives the same document
      expect(objectsIn(textsOf(web.spec, web.requires))).toEqual(objectsIn(texts))
      const again = readText([...textsOf(web.spec, web.requires), ...db].join('---\n'))
      expect(again.services.find((one) => one.name === 'web')?.spec).toEqual(web.spec)
    }),
    { numRuns: 100 },
  )
})

const targets = [
  { service: 'db', port: 80, weight: 3 },
  { service: 'db', port: 81 },
]
test.each([
  { type: 'external', addresses: ['192.0.2.7'], ports: [{ port: 5432 }] },
  { type: 'external', dns: 'db.example.test', ports: [{ port: 5432 }] },
  { type: 'ingress', group: 'nginx', hosts: [{ host: 'a.example.test', paths: [{ service: 'db', port: 80 }] }] },
  {
    type: 'lb',
    rules: [
      { name: 'raw', protocol: 'UDP', port: 53, targets: targets.slice(1) },
      { name: 'web', port: 80, host: 'b.example.test', targets, labels: 'tier=front' },
    ],
  },
])('a service of type $type is exported and imported unchanged', (outward) => {
  const spec = ServiceSpec.parse({ outward })
  const read = readText([...textsOf(spec, []), ...db].join('---\n'))
  expect({ wrong: read.wrong, notes: read.notes }).toEqual({ wrong: [], notes: [] })
  expect(read.services.find(({ name }) => name === 'web')?.spec).toEqual(spec)
})
