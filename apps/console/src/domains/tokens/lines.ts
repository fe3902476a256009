import { mediaType } from '@gantry/contract/envelope'
import { builds } from '@gantry/contract/pipelines/builds'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import type { Endpoint } from '@gantry/contract/endpoint'
import { addressOf } from '../../api/call.ts'

/** Quotes a text for a shell, so that nothing in it is expanded. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** A call as a curl command: the secret from the environment, and the headers of the API, without those of browsers. */
export function curlOf(
  origin: string,
  endpoint: Pick<Endpoint, 'method' | 'path' | 'action'>,
  input: { params?: unknown; query?: unknown; body?: unknown } = {},
): string {
  const lines = [
    `curl -fsS -X ${endpoint.method} ${quoted(origin + addressOf(endpoint, input))}`,
    `-H "Authorization: Bearer $GANTRY_TOKEN"`,
    `-H ${quoted(`Accept: ${mediaType}`)}`,
  ]
  if (endpoint.method !== 'GET')
    lines.push(`-H ${quoted('Content-Type: application/json')}`, `-d ${quoted(JSON.stringify(input.body ?? {}))}`)
  return lines.join(' \\\n  ')
}

export const readLine = 'read -rs GANTRY_TOKEN && export GANTRY_TOKEN'

export const listLine = (origin: string, teamId: number): string =>
  curlOf(origin, pipelines.list, { params: { teamId }, query: { pageSize: 20 } })

export const triggerLine = (origin: string, pipelineId: number): string =>
  curlOf(origin, builds.trigger, { params: { id: pipelineId } })

export const followLine = (origin: string, pipelineId: number): string =>
  curlOf(origin, builds.current, { params: { id: pipelineId } })
