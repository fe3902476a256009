import { expect } from 'vitest'
import { failure, refusals } from './refusal.ts'
import { deploymentOf, podOf, type Case } from '../trial/trial.ts'

/** Objects with invalid fields. */
export const refusedObjectCases: Case[] = refusals([
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
    title: 'a mount of a missing volume',
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
    title: 'a request above its limit',
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
    title: 'an invalid quantity',
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
    title: 'an invalid port',
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
    title: 'a selector that does not match the template',
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
    title: 'a deployment with a restart policy other than Always',
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
    title: 'negative replicas',
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
    title: 'replicas as text',
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
    title: 'an unknown field with strict validation',
    method: 'POST',
    group: 'v1',
    path: 'configmaps',
    body: (name) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, bogus: 1 }),
    query: { fieldValidation: 'Strict' },
    answer: () =>
      failure(
        400,
        'BadRequest',
        'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "bogus"',
      ),
  },
  {
    title: 'nested unknown fields with strict validation',
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
    title: 'an invalid label selector',
    method: 'GET',
    group: 'v1',
    path: 'pods',
    query: { labelSelector: 'a=b=c' },
    answer: () => failure(400, 'BadRequest', expect.any(String)),
  },
  {
    title: 'a field that cannot be selected by',
    method: 'GET',
    group: 'v1',
    path: 'pods',
    query: { fieldSelector: 'spec.none=x' },
    answer: () => failure(400, 'BadRequest', 'field label not supported: spec.none'),
  },
  {
    title: 'a field selector for a kind without selectable fields',
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
    title: 'a continue token that no list has answered',
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
])
