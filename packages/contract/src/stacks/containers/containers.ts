import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { id, uuid } from '../../ids.ts'
import { dnsLabel } from '../../validators.ts'
import { LogFile, LogPart, logQuery } from './logs.ts'
import { serviceTopic } from '../topics.ts'

const inPod = z.strictObject({ teamId: id, envId: uuid, podId: uuid, name: dnsLabel() })

const onPod = '/orchestration/api/:teamId/env/:envId/container/:id'
const pod = z.strictObject({ teamId: id, envId: uuid, id: uuid })
const which = z.strictObject({ container: dnsLabel().optional() })
const operate = { team: 'teamId', permission: 'stack_container_operate' } as const

export const containers = {
  /**
   * Returns the websocket's address and its ticket (30 s, once). Frames from the client are JSON {type: 'input', data}
   * or {type: 'resize', columns, rows}; to it they are raw output, and as the last one JSON {type: 'exit', code,
   * message}.
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
    topics: [],
  }),
  /** Kubernetes cannot start a single container: its pod is replaced at once, without the wait after a crash. */
  start: endpoint({
    method: 'POST',
    path: onPod,
    action: 'start',
    access: operate,
    audit: 'container.start',
    summary:
      'Start a container that has ended or waits after a crash: its pod is deleted, and its workload makes a new one',
    params: pod,
    query: which,
    data: z.null(),
    topics: [serviceTopic],
  }),
  /** Answers once the container runs: `execute` then opens a terminal in it. */
  debug: endpoint({
    method: 'POST',
    path: onPod,
    action: 'debug',
    access: { team: 'teamId', permission: 'stack_container_execute' },
    audit: 'container.debug',
    summary:
      'Start a debug container with a shell beside a container whose image has none; it stays until its pod goes',
    params: pod,
    query: which,
    data: z.object({ container: z.string() }),
    topics: [serviceTopic],
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
    access: { team: 'teamId', permission: 'stack_container_delete' },
    audit: 'container.remove',
    summary: 'Remove a container: its pod is deleted; a workload that wants it makes a new one',
    params: pod,
    query: which,
    data: z.null(),
    topics: [serviceTopic],
  }),
  log: endpoint({
    method: 'GET',
    path: '/orchestration/api/:teamId/env/:envId/pod/:podId/container/:name/log',
    access: { team: 'teamId', permission: 'stack_container_view' },
    summary: "Lines of a container's log, or of a log file in it: the last ones, or those at a place",
    params: inPod,
    query: logQuery,
    data: LogPart,
  }),
  paths: endpoint({
    method: 'GET',
    path: '/orchestration/api/:teamId/env/:envId/pod/:podId/paths',
    access: { team: 'teamId', permission: 'stack_container_view' },
    summary: 'The log files in the running containers of a pod that can be read',
    params: z.strictObject({ teamId: id, envId: uuid, podId: uuid }),
    data: z.object({
      files: z.array(LogFile),
      truncated: z.boolean(),
      /** Containers whose files cannot be listed, and why, in the caller's language. */
      unread: z.array(z.object({ container: z.string(), reason: z.string() })),
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
