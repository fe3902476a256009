import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id, uuid } from '../ids.ts'
import { dnsLabel } from '../validators.ts'
import { serviceTopic } from './topics.ts'

const inPod = z.strictObject({ teamId: id, envId: uuid, podId: uuid, name: dnsLabel() })

const onPod = '/orchestration/api/:teamId/env/:envId/container/:id'
const pod = z.strictObject({ teamId: id, envId: uuid, id: uuid })
const which = z.strictObject({ container: dnsLabel().optional() })
/** Replacing a pod is a small restart of its service. */
const operate = { team: 'teamId', permission: 'stack_service_operate' } as const

export const containers = {
  /**
   * Returns the websocket's address and its ticket (30 s, once); frames from the client are JSON {type: 'input', data}
   * or {type: 'resize', columns, rows}; frames to it are raw output, or JSON {type: 'exit', code, message} as the last.
   */
  execute: endpoint({
    method: 'POST',
    path: onPod,
    action: 'execute',
    access: { team: 'teamId', permission: 'stack_container_execute' },
    audit: 'container.execute',
    summary: 'Open a terminal in a container',
    params: pod,
    query: which,
    data: z.object({ url: z.string(), ticket: z.string() }),
  }),
  restart: endpoint({
    method: 'POST',
    path: onPod,
    action: 'restart',
    access: operate,
    audit: 'container.restart',
    summary: 'Restart a container: its pod is deleted, and its workload makes a new one',
    params: pod,
    query: which,
    data: z.null(),
    topics: [serviceTopic],
  }),
  remove: endpoint({
    method: 'POST',
    path: onPod,
    action: 'remove',
    access: operate,
    audit: 'container.remove',
    summary: 'Remove a container: its pod is deleted, and its workload makes a new one',
    params: pod,
    query: which,
    data: z.null(),
    topics: [serviceTopic],
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
      /** Only lines after this time, epoch milliseconds; 0 means open. */
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
/** Websocket (ticket): a terminal; `execute` returns its address. */
export const terminalPath = '/orchestration/api/:teamId/env/:envId/pod/:podId/container/:name/terminal'
