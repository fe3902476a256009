/** What holds of a service's pods where its document says nothing. */

/** Seconds that a pod goes on serving after it was taken out of its service, so that no request meets a closed port. */
export const drainSeconds = 5

/** Seconds that a service has to end. */
export const usualTermination = 30

export interface Timing {
  period: number
  timeout: number
  failures: number
}

/** How often a check looks: often, where an upgrade waits for it. A container is not started anew for what passes by itself. */
export const usualTiming = {
  readiness: { period: 2, timeout: 2, failures: 3 },
  liveness: { period: 10, timeout: 2, failures: 3 },
  startup: { period: 2, timeout: 2, failures: 60 },
} as const satisfies Record<string, Timing>
