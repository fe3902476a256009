import { ServiceSpec } from '@gantry/contract/stacks/spec'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkTemplate, documentOf } from './compile.ts'
import { addDependency, cloneNode, putService, removeDependency, removeNode } from './edit.ts'
import { isLower } from './version.ts'
import { writeTemplate, type WrittenService } from './write.ts'

const shop = `# The shop.
tosca_definitions_version: gantry_1_0_0
x-owner: grace # whoever that is
topology_template:
  inputs:
    TAG: { type: string, default: '1' }
    COUNT: { type: integer, default: 2 }
    PASSWORD: { type: secret }
  node_templates:
    web: # the front
      type: gantry.nodes.Service
      properties:
        image: { concat: ['web:', { get_input: TAG }] }
        replicas: { get_input: COUNT } # as many as are needed
        environment:
          - { name: PASSWORD, value: { get_input: PASSWORD }, secret: true }
          - { name: MODE, value: fast }
      requirements:
        - dependency: api # first
        - storage: { node: data, properties: { path: /data } }
        - config: { node: settings, properties: { path: /etc/shop.conf } }
    api:
      type: gantry.nodes.Service
      properties: { image: 'api:1' }
    data: { type: gantry.nodes.Volume, properties: { type: claim, size: 1Gi } }
    settings: { type: gantry.nodes.Config, properties: { content: hello } }
  policies:
    - away: { type: gantry.policies.Apart, targets: [web, api] }
  outputs:
    URL: { value: { concat: ['http://', { get_input: TAG }] } }
`
const keysOf = (text: string, given?: Record<string, unknown>) =>
  checkTemplate(text, given && { values: given }).problems.map(({ line, key }) => `${line} ${key}`)
const keysAfter = (from: string, to: string) => keysOf(shop.replace(from, to))

describe('a template', () => {
  test('compiles services, with inputs, volumes, files and policies in their places', () => {
    const { services, problems, outputs, inputs } = checkTemplate(shop, {
      values: { TAG: '7', PASSWORD: 'p', COUNT: '3' },
    })
    expect(problems).toEqual([])
    const [web] = services
    expect(web).toMatchObject({
      name: 'web',
      requires: ['api'],
      spec: {
        image: 'web:7',
        replicas: 3,
        environment: [{ name: 'PASSWORD', value: 'p', secret: true }, { name: 'MODE' }],
        volumes: [{ name: 'data', path: '/data', type: 'claim', size: '1Gi' }],
        files: [{ path: '/etc/shop.conf', content: 'hello' }],
        placement: { apart: ['api'] },
      },
    })
    expect(outputs).toEqual([{ name: 'URL', description: '', value: 'http://7' }])
    expect(inputs).toEqual({ TAG: '7', COUNT: 3, PASSWORD: '********' })
  })

  test.each([
    ['an unknown function', '{ get_input: COUNT }', '{ get_property: COUNT }', 'blueprints-tosca-function'],
    ['an input that there is not', '{ get_input: COUNT }', '{ get_input: NUMBER }', 'blueprints-tosca-input-unknown'],
    ['a default of another type', 'default: 2', 'default: two', 'blueprints-tosca-default-type'],
    ['a secret with a default', '{ type: secret }', '{ type: secret, default: x }', 'blueprints-tosca-default-secret'],
    ['a secret that is shown', 'value: fast', 'value: { get_input: PASSWORD }', 'blueprints-tosca-secret-place'],
    ['a secret that is written', 'value: { get_input: PASSWORD }', 'value: tidal', 'blueprints-tosca-secret-literal'],
    ['an input in lower case', 'TAG: {', 'tag: {', 'blueprints-tosca-input-name'],
    ['a requirement to nothing', 'dependency: api', 'dependency: db', 'blueprints-tosca-requires-nothing'],
    ['a dependency on a volume', 'dependency: api', 'dependency: data', 'blueprints-tosca-requires-service'],
    ['a requirement to itself', 'dependency: api', 'dependency: web', 'blueprints-tosca-requires-itself'],
    ['two mounts of one path', 'path: /etc/shop.conf', 'path: /data', 'blueprints-tosca-property'],
    ['a policy about nobody', 'targets: [web, api]', 'targets: [web, db]', 'blueprints-tosca-policy-target'],
    ['workflows', '  policies:', '  workflows: {}\n  policies:', 'blueprints-tosca-refused'],
    ['interfaces', '      requirements:', '      interfaces: {}\n      requirements:', 'blueprints-tosca-refused'],
    ['substitution', '  policies:', '  substitution_mappings: {}\n  policies:', 'blueprints-tosca-refused'],
  ])('with %s is reported', (_, from, to, key) => {
    expect(keysAfter(from, to).map((one) => one.split(' ')[1])).toContain(key)
  })

  test('reports all services of a dependency circle, at the requirement that closes it', () => {
    const circle = addDependency(shop, 'api', 'web')
    const [problem] = checkTemplate(circle).problems
    expect(problem).toMatchObject({ key: 'blueprints-tosca-circle', vars: { circle: 'web → api → web' } })
  })

  test('reports a volume that is named like a service', () => {
    const named = shop.replace(
      "{ image: 'api:1' }",
      "{ image: 'api:1', volumes: [{ name: web, path: /x, type: empty }] }",
    )
    expect(keysOf(named).join()).toContain('blueprints-tosca-volume-named-as-service')
  })

  test('compares versions by their last three numbers', () => {
    expect(
      ['gantry_0_9_9', 'gantry_1_0_0', 'gantry_1_0_1', 'tosca_simple_yaml_0_1_0'].map((one) => isLower(one)),
    ).toEqual([true, false, false, true])
  })
})

describe('an edit', () => {
  test('keeps comments, order, unknown keys and the functions of unchanged values', () => {
    const known = documentOf(shop, 'web')
    const spec = ServiceSpec.parse({ ...known?.document, command: ['serve'] })
    const next = putService(shop, 'web', spec, known?.inputs ?? new Map())
    // except for spaces in brackets, which YAML's writer adds
    const tokens = (text: string) => text.replaceAll(/(?<=[[{]) | (?=[\]}])/g, '').split(/\s+/)
    const [before, after] = [tokens(shop), tokens(next)]
    const at = after.indexOf('command:')
    expect(after.slice(at, at + 3)).toEqual(['command:', '-', 'serve'])
    expect(after.toSpliced(at, 3)).toEqual(before)
  })

  test('adds a way in, whose private key gets an input of its own, and later changes only the changed parts', () => {
    const host = { host: 'shop.example.test', paths: [{ path: '/', service: 'web', port: 80 }] }
    const tls = { certificate: '-----BEGIN CERTIFICATE-----', key: '********' }
    const entrance = { type: 'ingress', group: 'public', hosts: [{ ...host, tls }] }
    const added = putService(shop, 'door', ServiceSpec.parse({ outward: entrance }), new Map())
    const { problems, services, template } = checkTemplate(added, {
      values: { PASSWORD: 'p', DOORSHOPEXAMPLETEST: 'k' },
    })
    expect(problems).toEqual([])
    expect(template.inputs.at(-1)).toMatchObject({ name: 'DOORSHOPEXAMPLETEST', type: 'secret' })
    const wanted = { ...entrance, hosts: [{ ...host, tls: { ...tls, key: 'k' } }] }
    expect(services.find(({ name }) => name === 'door')?.spec.outward).toEqual(wanted)
    const known = documentOf(added, 'door')
    const again = (outward: unknown) =>
      putService(added, 'door', ServiceSpec.parse({ outward }), known?.inputs ?? new Map())
    expect(again(known?.document['outward'])).toBe(added)
    expect(
      again({
        ...entrance,
        hosts: [
          { ...host, tls },
          { ...host, host: 'other.example.test' },
        ],
      }),
    ).toContain(added.slice(0, added.indexOf('hosts:')))
  })

  test('removes a node and all its mentions, but no comment of another node', () => {
    const next = removeNode(shop, 'api')
    expect(next).not.toContain('api')
    for (const comment of ['# The shop.', '# whoever that is', '# the front', '# as many as are needed'])
      expect(next).toContain(comment)
  })

  test('an added dependency is undone by removing it', () => {
    const once = addDependency(shop, 'api', 'web')
    expect(checkTemplate(removeDependency(once, 'api', 'web')).services).toEqual(checkTemplate(shop).services)
    expect(removeDependency(shop, 'web', 'api')).not.toContain('dependency')
  })

  test('clones a node with its functions', () => {
    const next = cloneNode(shop, 'web', 'web2').replace('storage: { node: data', 'storage: { node: data')
    expect(next.match(/get_input: COUNT/g)).toHaveLength(2)
  })
})

const names = fc.uniqueArray(fc.constantFrom('web', 'api', 'db', 'cache', 'queue', 'mail'), { minLength: 1 })
const spec = fc
  .record({
    image: fc.constantFrom('registry.example.test/web:1', 'api', `host/x@sha256:${'a'.repeat(64)}`),
    replicas: fc.integer({ min: 0, max: 9 }),
    command: fc.array(fc.string({ maxLength: 20 }), { maxLength: 3 }),
    ports: fc.constantFrom([], [{ port: 80 }], [{ port: 53, protocol: 'UDP' as const }]),
    environment: fc
      .uniqueArray(fc.constantFrom('A', 'B', 'C'))
      .chain((keys) =>
        fc.tuple(...keys.map((name) => fc.record({ name: fc.constant(name), value: fc.string({ maxLength: 40 }) }))),
      ),
    files: fc.option(fc.constant([{ path: '/etc/a', content: 'x: |\n  # y\n' }]), { nil: undefined }),
  })
  .map(({ files, ...one }) => ServiceSpec.parse({ ...one, ...(files && { files }) }))
const stack: fc.Arbitrary<WrittenService[]> = names.chain((list) =>
  fc.tuple(
    ...list.map((name, at) =>
      fc.tuple(spec, fc.subarray(list.slice(0, at))).map(([one, requires]) => ({ name, spec: one, requires })),
    ),
  ),
)

test('a stack that is written as a template and read again is unchanged', () => {
  fc.assert(
    fc.property(stack, (services) => {
      const { services: read, problems } = checkTemplate(writeTemplate(services), { values: {} })
      expect(problems).toEqual([])
      expect(read).toEqual(services.map((one) => ({ ...one, requires: [...new Set(one.requires)] })))
    }),
  )
})

test('reads 500 randomly damaged templates without an exception; each problem has a line of the template', () => {
  const lines = shop.split('\n')
  const bend = fc.tuple(
    fc.integer({ min: 0, max: lines.length - 1 }),
    fc.constantFrom(
      '',
      '  ',
      '- ',
      '[',
      '}',
      '"',
      ': ',
      '&a ',
      '*a',
      '!!x ',
      '? ',
      '# ',
      '\t',
      '|',
      '{{',
      'on',
      '1e999',
      'null',
    ),
    fc.integer({ min: 0, max: 60 }),
  )
  fc.assert(
    fc.property(fc.array(bend, { minLength: 1, maxLength: 4 }), (bends) => {
      const bent = [...lines]
      for (const [at, put, from] of bends)
        bent[at] = `${bent[at]?.slice(0, from) ?? ''}${put}${bent[at]?.slice(from + put.length) ?? ''}`
      for (const { line, column, key } of checkTemplate(bent.join('\n')).problems) {
        expect(line).toBeGreaterThan(0)
        expect(line).toBeLessThanOrEqual(bent.length + 1)
        expect(column).toBeGreaterThan(0)
        expect(key).toMatch(/^[a-z0-9-]+$/)
      }
    }),
    { numRuns: 500 },
  )
})

describe('nodes that run no pods', () => {
  const text = `tosca_definitions_version: gantry_1_0_0
topology_template:
  inputs:
    DOMAIN: { type: string, default: example.com }
    KEY: { type: secret }
  node_templates:
    web:
      type: gantry.nodes.Service
      properties: { image: 'web:1', ports: [{ port: 8080 }] }
    db:
      type: gantry.nodes.External
      properties: { addresses: [192.0.2.10], ports: [{ port: 5432 }] }
    balance:
      type: gantry.nodes.LoadBalancer
      properties:
        rules:
          - name: web
            port: 443
            protocol: HTTPS
            host: { concat: [shop., { get_input: DOMAIN }] }
            targets: [{ service: web, port: 8080, weight: 3 }]
        certificates:
          - { host: { concat: [shop., { get_input: DOMAIN }] }, certificate: PEM, key: { get_input: KEY } }
      requirements: [{ dependency: web }]
    front:
      type: gantry.nodes.Ingress
      properties: { group: usual, hosts: [{ host: a.example.com, paths: [{ service: web, port: 8080 }] }] }
`
  const given = { values: { KEY: 'sealed away' } }
  const changed = (from: string, to: string) =>
    checkTemplate(text.replace(from, to), given).problems.map(
      ({ line, key, reason }) => `${line} ${reason?.key ?? key}`,
    )

  test('become services, with inputs in their places', () => {
    const { services, problems } = checkTemplate(text, given)
    expect(problems).toEqual([])
    expect(services.map(({ name, spec }) => [name, spec.outward?.type])).toEqual([
      ['web', undefined],
      ['db', 'external'],
      ['balance', 'lb'],
      ['front', 'ingress'],
    ])
    expect(services[2]).toMatchObject({
      requires: ['web'],
      spec: { outward: { rules: [{ host: 'shop.example.com' }], certificates: [{ key: 'sealed away' }] } },
    })
  })

  test('reports problems at their places', () => {
    expect(changed('weight: 3', 'weight: 30')).toEqual(['21 weight-range'])
    expect(changed('[192.0.2.10]', '[127.0.0.1]')).toEqual(['12 external-address-refused'])
    expect(changed('[{ service: web, port: 8080, weight', '[{ service: nobody, port: 8080, weight')).toEqual([
      '21 blueprints-tosca-neighbour',
    ])
    expect(changed('key: { get_input: KEY }', 'key: PEM')).toEqual(['23 blueprints-tosca-secret-literal'])
    expect(changed('[{ dependency: web }]', '[{ storage: web }]')).toEqual([
      '24 blueprints-tosca-requirements-only-services',
    ])
  })

  test('a stack saved as a template keeps its values, and its private keys become inputs', () => {
    const { services } = checkTemplate(text, given)
    const saved = writeTemplate(services)
    expect(saved).not.toContain('sealed away')
    const again = checkTemplate(saved, { values: { BALANCESHOPEXAMPLECOM: 'sealed away' } })
    expect(again.problems).toEqual([])
    expect(again.inputProblems).toEqual([])
    expect(again.services).toEqual(services)
  })
})
