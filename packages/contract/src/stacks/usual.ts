/** Defaults for a service's pods. */

/** Seconds for which a pod serves after its removal from the service, so that no request meets a closed port. */
export const drainSeconds = 5

/** Seconds that a service has to end by itself. */
export const usualTermination = 30

export interface Timing {
  period: number
  timeout: number
  failures: number
}

/** Times of checks: readiness often, because upgrades wait for it; no restart for a failure that passes by itself. */
export const usualTiming = {
  readiness: { period: 2, timeout: 2, failures: 3 },
  liveness: { period: 10, timeout: 2, failures: 3 },
  startup: { period: 2, timeout: 2, failures: 60 },
} as const satisfies Record<string, Timing>
