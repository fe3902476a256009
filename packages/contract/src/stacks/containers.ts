import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id, uuid } from '../ids.ts'
import { dnsLabel } from '../validators.ts'

const inPod = z.strictObject({ teamId: id, envId: uuid, podId: uuid, name: dnsLabel() })

export const containers = {
  /**
   * `execute` answers the websocket's address and its ticket (30 s, once); frames from the client are JSON
   * {type: 'input', data} or {type: 'resize', columns, rows}; frames to it are raw output, or JSON {type: 'exit', code, message} as the last.
   */
  act: endpoint({
    method: 'POST',
    path: '/orchestration/api/:teamId/env/:envId/container/:id',
    access: { team: 'teamId', permission: 'stack_container_execute' },
    audit: 'container.act',
    summary: 'execute (a terminal), restart or remove (its workload makes a new one)',
    params: z.strictObject({ teamId: id, envId: uuid, id: uuid }),
    query: z.strictObject({ action: z.enum(['execute', 'restart', 'remove']), container: dnsLabel().optional() }),
    data: z.object({ url: z.string(), ticket: z.string() }).nullable(),
  }),
  log: endpoint({
    method: 'GET',
    path: '/orchestration/api/:teamId/env/:envId/pod/:podId/container/:name/log',
    access: { team: 'teamId', permission: 'stack_container_view' },
    summary: "The last lines of a container's log, of the running or the previous instance",
    params: inPod,
    query: z.strictObject({
      quantity: z.coerce.number().int().min(1).max(5000).default(500),
      previous: z.enum(['true', 'false']).default('false'),
      /** Only lines from this moment on, epoch milliseconds; 0 = open. */
      referenceTimestamp: z.coerce.number().int().min(0).max(8_640_000_000_000_000).default(0),
      stack_name: z.string().max(63).optional(),
    }),
    data: z.object({
      lines: z.array(z.object({ at: z.string(), text: z.string() })),
      /** There are older lines than these. */
      truncated: z.boolean(),
    }),
  }),
  logFile: endpoint({
    method: 'GET',
    path: '/orchestration/api/:teamId/env/:envId/pod/:podId/container/:name/log/file',
    access: { team: 'teamId', permission: 'stack_container_view' },
    summary: "A container's log as the cluster keeps it, to download",
    params: inPod,
    query: z.strictObject({ previous: z.enum(['true', 'false']).default('false') }),
    stream: 'text/plain; charset=utf-8',
    data: z.unknown(),
  }),
}

/** Websocket (ticket): follows a container's log; frames are JSON {lines: [{at, text}]}, the last {end: reason}. */
export const followPath = '/orchestration/api/:teamId/env/:envId/pod/:podId/container/:name/log/follow'
/** Websocket (ticket): a terminal; its address is what `act?action=execute` answers. */
export const terminalPath = '/orchestration/api/:teamId/env/:envId/pod/:podId/container/:name/terminal'
