import { expect } from 'vitest'
import type { Json } from './client.ts'
import { deploymentOf, must, podOf, type Case } from './trial.ts'

const failure = (code: number, reason: string, message: unknown, details?: Json): Json => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: message instanceof RegExp ? expect.stringMatching(message) : message,
  ...(reason === '' ? {} : { reason }),
  ...(details === undefined ? {} : { details }),
  code,
})

interface Refused {
  title: string
  method: string
  /** Below the case's namespace. */
  group: string
  path: string
  body?: (name: string) => unknown
  type?: string
  query?: Record<string, string>
  answer: (name: string) => Json
}

const configMap = (metadata: object, more: object = {}): unknown => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata,
  ...more,
})

const refused: Refused[] = [
  {
    title: 'a name with capitals',
    method: 'POST',
    group: 'v1',
    path: 'configmaps',
    body: () => configMap({ name: 'Not-Allowed' }),
    answer: () =>
      failure(
        422,
        'Invalid',
        /^ConfigMap "Not-Allowed" is invalid: metadata.name: Invalid value: "Not-Allowed": a lowercase RFC 1123 subdomain must consist of/,
        {
          name: 'Not-Allowed',
          kind: 'ConfigMap',
          causes: [
            {
              reason: 'FieldValueInvalid',
              message: expect.stringContaining('Invalid value: "Not-Allowed"'),
              field: 'metadata.name',
            },
          ],
        },
      ),
  },
  {
    title: 'no name',
    method: 'POST',
    group: 'v1',
    path: 'configmaps',
    body: () => configMap({}),
    answer: () =>
      failure(
        422,
        'Invalid',
        'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required',
        {
          kind: 'ConfigMap',
          causes: [
            {
              reason: 'FieldValueRequired',
              message: 'Required value: name or generateName is required',
              field: 'metadata.name',
            },
          ],
        },
      ),
  },
  {
    title: 'a service whose name begins with a digit',
    method: 'POST',
    group: 'v1',
    path: 'services',
    body: () => ({ metadata: { name: '1a' }, spec: { ports: [{ port: 80 }] } }),
    answer: () =>
      failure(
        422,
        'Invalid',
        /^Service "1a" is invalid: metadata.name: Invalid value: "1a": a DNS-1035 label must consist of/,
        expect.anything(),
      ),
  },
  {
    title: 'a label value with a space',
    method: 'POST',
    group: 'v1',
    path: 'configmaps',
    body: (name) => configMap({ name, labels: { a: 'b c' } }),
    answer: () =>
      failure(
        422,
        'Invalid',
        /metadata.labels: Invalid value: "b c": a valid label must be an empty string or consist of alphanumeric characters/,
        expect.anything(),
      ),
  },
  {
    title: 'a label that is a number',
    method: 'POST',
    group: 'v1',
    path: 'configmaps',
    body: (name) => configMap({ name, labels: { a: 1 } }),
    answer: () =>
      failure(
        400,
        'BadRequest',
        /^ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string$/,
      ),
  },
  {
    title: 'another namespace than the path says',
    method: 'POST',
    group: 'v1',
    path: 'configmaps',
    body: (name) => configMap({ name, namespace: 'other' }),
    answer: () =>
      failure(
        400,
        'BadRequest',
        'the namespace of the provided object does not match the namespace sent on the request',
      ),
  },
  {
    title: 'another kind than the path says',
    method: 'POST',
    group: 'v1',
    path: 'configmaps',
    body: (name) => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name } }),
    answer: () => failure(400, 'BadRequest', /Secret in version "v1" cannot be handled as a ConfigMap/),
  },
  {
    title: 'another version than the path says',
    method: 'POST',
    group: 'apps/v1',
    path: 'deployments',
    body: (name) => ({ ...deploymentOf(name), apiVersion: 'apps/v2' }),
    answer: () => failure(400, 'BadRequest', /apps\/v2/),
  },
  {
    title: 'a body that is no JSON',
    method: 'POST',
    group: 'v1',
    path: 'configmaps',
    body: () => '{"metadata":',
    answer: () => failure(400, 'BadRequest', /json/i),
  },
  {
    title: 'a content type that nobody knows',
    method: 'POST',
    group: 'v1',
    path: 'configmaps',
    body: () => 'x',
    type: 'text/plain',
    answer: () =>
      failure(
        415,
        'UnsupportedMediaType',
        /^the body of the request was in an unknown format - accepted media types include: .*application\/json/,
      ),
  },
  {
    title: 'a version given at creation',
    method: 'POST',
    group: 'v1',
    path: 'configmaps',
    body: (name) => configMap({ name, resourceVersion: '1' }),
    answer: () => failure(500, '', 'resourceVersion should not be set on objects to be created'),
  },
  {
    title: 'creation at the name',
    method: 'POST',
    group: 'v1',
    path: 'configmaps/x',
    body: (name) => configMap({ name }),
    answer: () =>
      failure(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {}),
  },
  {
    title: 'update of nothing',
    method: 'PUT',
    group: 'apps/v1',
    path: 'deployments/nothing',
    body: () => deploymentOf('nothing'),
    answer: () =>
      failure(404, 'NotFound', 'deployments.apps "nothing" not found', {
        name: 'nothing',
        group: 'apps',
        kind: 'deployments',
      }),
  },
  {
    title: 'update under another name',
    method: 'PUT',
    group: 'v1',
    path: 'configmaps/one',
    body: () => configMap({ name: 'two' }),
    answer: () => failure(400, 'BadRequest', 'the name of the object (two) does not match the name on the URL (one)'),
  },
  {
    title: 'merge patch of nothing',
    method: 'PATCH',
    group: 'v1',
    path: 'configmaps/nothing',
    body: () => ({}),
    type: 'application/merge-patch+json',
    answer: () => failure(404, 'NotFound', 'configmaps "nothing" not found', { name: 'nothing', kind: 'configmaps' }),
  },
  {
    title: 'a patch of no known type',
    method: 'PATCH',
    group: 'v1',
    path: 'configmaps/nothing',
    body: () => ({}),
    type: 'application/other',
    answer: () => failure(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {}),
  },
  {
    title: 'a pod without containers',
    method: 'POST',
    group: 'v1',
    path: 'pods',
    body: (name) => ({ metadata: { name }, spec: {} }),
    answer: (name) =>
      failure(422, 'Invalid', `Pod "${name}" is invalid: spec.containers: Required value`, {
        name,
        kind: 'Pod',
        causes: [{ reason: 'FieldValueRequired', message: 'Required value', field: 'spec.containers' }],
      }),
  },
  {
    title: 'a container without an image',
    method: 'POST',
    group: 'v1',
    path: 'pods',
    body: (name) => ({ metadata: { name }, spec: { containers: [{ name: 'c' }] } }),
    answer: (name) =>
      failure(422, 'Invalid', `Pod "${name}" is invalid: spec.containers[0].image: Required value`, expect.anything()),
  },
  {
    title: 'two containers of one name',
    method: 'POST',
    group: 'v1',
    path: 'pods',
    body: (name) => ({
      metadata: { name },
      spec: {
        containers: [
          { name: 'c', image: 'x' },
          { name: 'c', image: 'x' },
        ],
      },
    }),
    answer: (name) =>
      failure(
        422,
        'Invalid',
        `Pod "${name}" is invalid: spec.containers[1].name: Duplicate value: "c"`,
        expect.anything(),
      ),
  },
  {
    title: 'a mount of no volume',
    method: 'POST',
    group: 'v1',
    path: 'pods',
    body: (name) => podOf(name, 'true', { volumeMounts: [{ name: 'v', mountPath: '/v' }] }),
    answer: (name) =>
      failure(
        422,
        'Invalid',
        `Pod "${name}" is invalid: spec.containers[0].volumeMounts[0].name: Not found: "v"`,
        expect.anything(),
      ),
  },
  {
    title: 'more asked than allowed',
    method: 'POST',
    group: 'v1',
    path: 'pods',
    body: (name) => podOf(name, 'true', { resources: { requests: { memory: '2Gi' }, limits: { memory: '1Gi' } } }),
    answer: (name) =>
      failure(
        422,
        'Invalid',
        `Pod "${name}" is invalid: spec.containers[0].resources.requests: Invalid value: "2Gi": must be less than or equal to memory limit of 1Gi`,
        expect.anything(),
      ),
  },
  {
    title: 'a quantity that is none',
    method: 'POST',
    group: 'v1',
    path: 'pods',
    body: (name) => podOf(name, 'true', { resources: { limits: { memory: '1 Gi' } } }),
    answer: () =>
      failure(
        400,
        'BadRequest',
        /^Pod in version "v1" cannot be handled as a Pod: quantities must match the regular expression/,
      ),
  },
  {
    title: 'a port that is none',
    method: 'POST',
    group: 'v1',
    path: 'pods',
    body: (name) => podOf(name, 'true', { ports: [{ containerPort: 70000 }] }),
    answer: (name) =>
      failure(
        422,
        'Invalid',
        `Pod "${name}" is invalid: spec.containers[0].ports[0].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive`,
        expect.anything(),
      ),
  },
  {
    title: 'a selector that the template does not fit',
    method: 'POST',
    group: 'apps/v1',
    path: 'deployments',
    body: (name) => deploymentOf(name, { selector: { matchLabels: { app: 'other' } } }),
    answer: (name) =>
      failure(
        422,
        'Invalid',
        `Deployment.apps "${name}" is invalid: spec.template.metadata.labels: Invalid value: {"app":"${name}"}: \`selector\` does not match template \`labels\``,
        {
          name,
          group: 'apps',
          kind: 'Deployment',
          causes: [
            {
              reason: 'FieldValueInvalid',
              message: `Invalid value: {"app":"${name}"}: \`selector\` does not match template \`labels\``,
              field: 'spec.template.metadata.labels',
            },
          ],
        },
      ),
  },
  {
    title: 'a deployment that runs once',
    method: 'POST',
    group: 'apps/v1',
    path: 'deployments',
    body: (name) => {
      const body = deploymentOf(name)
      body.spec.template.spec.restartPolicy = 'Never'
      return body
    },
    answer: (name) =>
      failure(
        422,
        'Invalid',
        `Deployment.apps "${name}" is invalid: spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"`,
        expect.anything(),
      ),
  },
  {
    title: 'replicas below nothing',
    method: 'POST',
    group: 'apps/v1',
    path: 'deployments',
    body: (name) => deploymentOf(name, { replicas: -1 }),
    answer: (name) =>
      failure(
        422,
        'Invalid',
        `Deployment.apps "${name}" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0`,
        expect.anything(),
      ),
  },
  {
    title: 'replicas in words',
    method: 'POST',
    group: 'apps/v1',
    path: 'deployments',
    body: (name) => deploymentOf(name, { replicas: 'two' }),
    answer: () =>
      failure(
        400,
        'BadRequest',
        'Deployment in version "v1" cannot be handled as a Deployment: json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32',
      ),
  },
  {
    title: 'an unknown field, where they are to be refused',
    method: 'POST',
    group: 'v1',
    path: 'configmaps',
    body: (name) => configMap({ name }, { bogus: 1 }),
    query: { fieldValidation: 'Strict' },
    answer: () =>
      failure(
        400,
        'BadRequest',
        'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "bogus"',
      ),
  },
  {
    title: 'unknown fields deep inside, where they are to be refused',
    method: 'POST',
    group: 'apps/v1',
    path: 'deployments',
    body: (name) => deploymentOf(name, { replica: 1 }, { imagePullPolice: 'Never' }),
    query: { fieldValidation: 'Strict' },
    answer: () =>
      failure(
        400,
        'BadRequest',
        'Deployment in version "v1" cannot be handled as a Deployment: strict decoding error: unknown field "spec.template.spec.containers[0].imagePullPolice", unknown field "spec.replica"',
      ),
  },
  {
    title: 'a service without ports',
    method: 'POST',
    group: 'v1',
    path: 'services',
    body: (name) => ({ metadata: { name }, spec: { selector: { a: 'b' } } }),
    answer: (name) =>
      failure(422, 'Invalid', `Service "${name}" is invalid: spec.ports: Required value`, expect.anything()),
  },
  {
    title: 'two ports without names',
    method: 'POST',
    group: 'v1',
    path: 'services',
    body: (name) => ({ metadata: { name }, spec: { ports: [{ port: 80 }, { port: 81 }] } }),
    answer: (name) =>
      failure(
        422,
        'Invalid',
        `Service "${name}" is invalid: [spec.ports[0].name: Required value, spec.ports[1].name: Required value]`,
        expect.anything(),
      ),
  },
  {
    title: 'a node port out of range',
    method: 'POST',
    group: 'v1',
    path: 'services',
    body: (name) => ({ metadata: { name }, spec: { type: 'NodePort', ports: [{ port: 80, nodePort: 80 }] } }),
    answer: (name) =>
      failure(
        422,
        'Invalid',
        `Service "${name}" is invalid: spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range. The range of valid ports is 30000-32767`,
        expect.anything(),
      ),
  },
  {
    title: 'a label selector that is none',
    method: 'GET',
    group: 'v1',
    path: 'pods',
    query: { labelSelector: 'a=b=c' },
    answer: () => failure(400, 'BadRequest', expect.any(String)),
  },
  {
    title: 'a field that cannot be selected',
    method: 'GET',
    group: 'v1',
    path: 'pods',
    query: { fieldSelector: 'spec.none=x' },
    answer: () => failure(400, 'BadRequest', 'field label not supported: spec.none'),
  },
  {
    title: 'a field of a kind that has none',
    method: 'GET',
    group: 'apps/v1',
    path: 'deployments',
    query: { fieldSelector: 'spec.replicas=1' },
    answer: () =>
      failure(
        400,
        'BadRequest',
        '"spec.replicas" is not a known field selector: only "metadata.name", "metadata.namespace"',
      ),
  },
  {
    title: 'a place in a list that was never given out',
    method: 'GET',
    group: 'v1',
    path: 'pods',
    query: { limit: '1', continue: 'x' },
    answer: () => failure(400, 'BadRequest', /^invalid continue token: continue key is not valid: /),
  },
  {
    title: 'a version from the future',
    method: 'GET',
    group: 'v1',
    path: 'configmaps',
    query: { resourceVersion: '999999999999' },
    answer: () => failure(504, 'Timeout', /Too large resource version: 999999999999, current: \d+$/, expect.anything()),
  },
]

const other: Case[] = [
  {
    title: 'nothing may be made in a namespace that is not there',
    async run({ kube }) {
      const answer = await kube.call('POST', '/api/v1/namespaces/not-there/configmaps', {
        body: { metadata: { name: 'a' } },
      })
      expect(answer.body).toEqual(
        failure(404, 'NotFound', 'namespaces "not-there" not found', { name: 'not-there', kind: 'namespaces' }),
      )
    },
  },
  {
    title: 'a path where no kind is',
    async run({ kube, namespace }) {
      for (const path of [`/api/v1/namespaces/${namespace}/nothings`, '/apis/apps/v1/nothings', '/api/v1/nothings/x'])
        expect((await kube.call('GET', path)).body).toEqual(
          failure(404, 'NotFound', 'the server could not find the requested resource', {}),
        )
      for (const path of ['/apis/no.such/v1/things', '/nothing']) {
        const answer = await kube.call('GET', path)
        expect([answer.code, answer.text]).toEqual([404, '404 page not found\n'])
      }
    },
  },
  {
    title: 'an immutable selector',
    async run({ kube, at, name }) {
      const body = deploymentOf(name('fixed'), { replicas: 0 })
      must(await kube.call('POST', at('apps/v1', 'deployments'), { body }), 201)
      const next = structuredClone(body)
      next.spec.selector.matchLabels = { app: 'other' }
      next.spec.template.metadata.labels = { app: 'other' }
      const answer = await kube.call('PUT', at('apps/v1', 'deployments', body.metadata.name), { body: next })
      expect(answer.body).toEqual(
        failure(
          422,
          'Invalid',
          `Deployment.apps "${body.metadata.name}" is invalid: spec.selector: Invalid value: {"matchLabels":{"app":"other"}}: field is immutable`,
          expect.anything(),
        ),
      )
    },
  },
  {
    title: 'a pod that is there keeps its containers’ commands',
    async run({ kube, at, name }) {
      const body = podOf(name('fixed'), 'sleep 1', {}, { nodeSelector: { 'contract/none': 'none' } })
      const made = must(await kube.call('POST', at('v1', 'pods'), { body }), 201)
      made.spec.containers[0].command = ['true']
      delete made.metadata.resourceVersion
      const answer = await kube.call('PUT', at('v1', 'pods', made.metadata.name), { body: made })
      expect(answer.body).toMatchObject({ code: 422, reason: 'Invalid' })
      expect(answer.body.message).toContain('spec: Forbidden: pod updates may not change fields other than')
      made.spec.containers[0].command = body.spec.containers[0].command
      made.spec.containers[0].image = 'localhost/busybox:2'
      must(await kube.call('PUT', at('v1', 'pods', made.metadata.name), { body: made }), 200)
    },
  },
  {
    title: 'an immutable config map and a secret’s type',
    async run({ kube, at, name }) {
      const metadata = { name: name('fixed') }
      must(
        await kube.call('POST', at('v1', 'configmaps'), { body: { metadata, data: { a: '1' }, immutable: true } }),
        201,
      )
      const map = await kube.call('PUT', at('v1', 'configmaps', metadata.name), {
        body: { metadata, data: { a: '2' }, immutable: true },
      })
      expect(map.body).toMatchObject({
        code: 422,
        message: `ConfigMap "${metadata.name}" is invalid: data: Forbidden: field is immutable when \`immutable\` is set`,
      })
      must(await kube.call('POST', at('v1', 'secrets'), { body: { metadata } }), 201)
      const secret = await kube.call('PUT', at('v1', 'secrets', metadata.name), {
        body: { metadata, type: 'other/type' },
      })
      expect(secret.body).toMatchObject({
        code: 422,
        message: `Secret "${metadata.name}" is invalid: type: Invalid value: "other/type": field is immutable`,
      })
    },
  },
  {
    title: 'an unknown field where nobody asked is dropped, with a warning',
    async run({ kube, at, name }) {
      const body = { metadata: { name: name('warned') }, data: { a: '1' }, bogus: 1 }
      const answer = await kube.call('POST', at('v1', 'configmaps'), { body })
      expect(must(answer, 201)).not.toHaveProperty('bogus')
      expect(answer.headers['warning']).toBe('299 - "unknown field \\"bogus\\""')
    },
  },
  {
    title: 'an apply without a manager',
    async run({ kube, at }) {
      const answer = await kube.call('PATCH', at('v1', 'configmaps', 'x'), {
        body: {},
        type: 'application/apply-patch+yaml',
      })
      const message =
        'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch'
      expect(answer.body).toEqual(failure(422, 'Invalid', message, expect.anything()))
    },
  },
  {
    title: 'an unknown field in an apply',
    async run({ kube, at, name }) {
      const one = name('bogus')
      const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: one }, bogus: 1 }
      const options = { type: 'application/apply-patch+yaml', query: { fieldManager: 'gantry', force: true } }
      const answer = await kube.call('PATCH', at('v1', 'configmaps', one), { body, ...options })
      const message = `failed to create typed patch object (/${one}; /v1, Kind=ConfigMap): .bogus: field not declared in schema`
      expect(answer.body).toEqual(failure(500, '', message))
      const typed = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: one }, spec: { replicas: '2' } }
      const other = await kube.call('PATCH', at('apps/v1', 'deployments', one), { body: typed, ...options })
      const said = `failed to create typed patch object (/${one}; apps/v1, Kind=Deployment): .spec.replicas: expected numeric (int or float), got string`
      expect(other.body).toEqual(failure(500, '', said))
    },
  },
]

/** What is refused, and in which words. */
export const errorCases: Case[] = [
  ...refused.map(({ title, method, group, path, body, type, query, answer }) => ({
    title,
    async run({ kube, at, name }: Parameters<Case['run']>[0]) {
      const one = name('refused')
      const given = {
        ...(body ? { body: body(one) } : {}),
        ...(type === undefined ? {} : { type }),
        ...(query ? { query } : {}),
      }
      expect((await kube.call(method, at(group, path), given)).body).toEqual(answer(one))
    },
  })),
  ...other,
]
