import { z } from 'zod'
import { hint, Many, topic } from '../topic.ts'
import { ServiceState, StackState } from './states.ts'

const ServiceId = z.number().int()
const serviceState = z.enum([...ServiceState.options, 'deleted'])

const ofService = { owner: 'service', by: 'serviceId', permission: 'stack_service_view' } as const

/** A team's stacks, and the services in them. */
export const stacksTopic = topic({
  path: 'stacks/:teamId',
  access: { team: 'teamId', permission: 'stack_stack_view', or: 'stack_service_view' },
  content: z.union([
    z.object({ stackId: z.number().int(), serviceId: ServiceId, state: serviceState }),
    z.object({ stackId: z.number().int(), state: z.enum([...StackState.options, 'deleted']) }),
  ]),
})

/** Pods of a stack's services appeared, disappeared or changed. */
export const stackTopic = topic({
  path: 'stack/:stackId',
  access: { owner: 'stack', by: 'stackId', permission: 'stack_service_view' },
  content: z.union([z.object({ serviceId: ServiceId }), Many]),
})

/** One service: with its state if the state changed, without it if its pods did. */
export const serviceTopic = topic({
  path: 'service/:serviceId',
  access: ofService,
  content: z.union([z.object({ serviceId: ServiceId, state: serviceState.optional() }), Many]),
})

/** New events of one service's objects. */
export const serviceEventsTopic = topic({
  path: 'service-events/:serviceId',
  access: ofService,
  content: z.union([z.object({ serviceId: ServiceId }), Many]),
})

/** A service of any team claimed or released entry points, or its address changed. */
export const waysTopic = hint({ path: 'ways-in', access: 'user' })

/** Files in the containers of a pod, as they are changed here. */
export const filesTopic = hint({ path: 'files/:teamId/:podId', access: { team: 'teamId' } })
