import type { ServiceSummary } from '@gantry/contract/stacks/services'
import { t } from '../../../api/language.ts'
import { isDegraded } from './service-states.ts'

/** The problem of a service, with a remedy; empty if there is none. */
export const troubleOf = (service: Pick<ServiceSummary, 'state' | 'ready' | 'replicas' | 'live' | 'message'>): string =>
  service.message === '' && isDegraded(service)
    ? t('stacks-ui-degraded', { ready: service.ready, all: service.replicas })
    : service.message
