import { expect } from 'vitest'
import { failure, refusals } from './refusal.ts'
import { deploymentOf, type Case } from '../trial/trial.ts'

const configMap = (metadata: object, more: object = {}): unknown => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata,
  ...more,
})

/** Requests that are invalid in themselves. */
export const refusedRequestCases: Case[] = refusals([
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
    title: 'a missing name',
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
    title: 'a number as a label value',
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
    title: 'another namespace than in the path',
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
    title: 'another kind than in the path',
    method: 'POST',
    group: 'v1',
    path: 'configmaps',
    body: (name) => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name } }),
    answer: () => failure(400, 'BadRequest', /Secret in version "v1" cannot be handled as a ConfigMap/),
  },
  {
    title: 'another version than in the path',
    method: 'POST',
    group: 'apps/v1',
    path: 'deployments',
    body: (name) => ({ ...deploymentOf(name), apiVersion: 'apps/v2' }),
    answer: () => failure(400, 'BadRequest', /apps\/v2/),
  },
  {
    title: 'a body that is not JSON',
    method: 'POST',
    group: 'v1',
    path: 'configmaps',
    body: () => '{"metadata":',
    answer: () => failure(400, 'BadRequest', /json/i),
  },
  {
    title: 'an unknown content type',
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
    title: 'a resourceVersion at creation',
    method: 'POST',
    group: 'v1',
    path: 'configmaps',
    body: (name) => configMap({ name, resourceVersion: '1' }),
    answer: () => failure(500, '', 'resourceVersion should not be set on objects to be created'),
  },
  {
    title: 'creation at the path of an object',
    method: 'POST',
    group: 'v1',
    path: 'configmaps/x',
    body: (name) => configMap({ name }),
    answer: () =>
      failure(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {}),
  },
  {
    title: 'an update of a missing object',
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
    title: 'a merge patch of a missing object',
    method: 'PATCH',
    group: 'v1',
    path: 'configmaps/nothing',
    body: () => ({}),
    type: 'application/merge-patch+json',
    answer: () => failure(404, 'NotFound', 'configmaps "nothing" not found', { name: 'nothing', kind: 'configmaps' }),
  },
  {
    title: 'a patch of an unknown type',
    method: 'PATCH',
    group: 'v1',
    path: 'configmaps/nothing',
    body: () => ({}),
    type: 'application/other',
    answer: () => failure(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {}),
  },
])
